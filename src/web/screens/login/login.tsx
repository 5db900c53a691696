import { Button, PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { BeakerIcon, KeyIcon, MarkGithubIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type SignInOptions, signInErrors, type User } from '#contract/session.ts';
import { ApiError, addressOf, api } from '../../api/client.ts';
import { ask } from '../../api/query.ts';
import { Mark } from '../../layout/mark.tsx';
import { useDocumentTitle } from '../../layout/page.tsx';
import { Banner } from '../../panels/banner.tsx';
import { causeOf, ErrorState } from '../../panels/error-state.tsx';
import { SessionLoading } from '../../session/guard.tsx';
import { returnTo } from '../../session/return-to.ts';
import { useSession } from '../../session/session.tsx';
import classes from './login.module.css';
import { SampleBand } from './sample-band.tsx';
import { wordsFor } from './words.ts';

const route = getRouteApi('/login');

/** The sign-in page: by the host, into the demo, or with a token, as far as the server offers each. */
export function LoginScreen() {
  useDocumentTitle('Sign in');
  const session = useSession();
  const { error, return_to } = route.useSearch();
  const options = useQuery({ ...ask('getSignInOptions', undefined), refetchInterval: false });

  if (session.status === 'loading' || options.isLoading) return <SessionLoading />;
  if (session.status === 'signed-in') return <Navigate to={returnTo(return_to)} replace />;
  const host = options.data?.host ?? 'GitHub';
  const unchecked = session.unchecked;
  const again = () => {
    if (options.error) void options.refetch();
    if (unchecked !== null) session.check();
  };
  return (
    <div className={classes.page}>
      <main className={classes.form}>
        <Link to="/" className={classes.brand}>
          <Mark />
          Mergelight
        </Link>
        <div className={classes.middle}>
          <h1>Sign in</h1>
          <p className={classes.lead}>Your {host} account decides what you see.</p>
          {options.data && unchecked !== null && (
            <Banner
              meaning="watch"
              aside={
                <Button variant="default" onClick={again}>
                  Check again
                </Button>
              }
            >
              {`It could not be checked whether you are signed in. ${causeOf(unchecked)}`}
            </Banner>
          )}
          {options.data ? (
            <Ways
              options={options.data}
              told={error === undefined ? null : wordsFor(error, host)}
              returnTo={return_to}
            />
          ) : options.error ? (
            <ErrorState title="The ways to sign in could not be fetched" error={options.error} onRetry={again} />
          ) : (
            <Button size="md" loading aria-label={`Sign in with ${host}`} />
          )}
        </div>
      </main>
      <SampleBand />
    </div>
  );
}

interface WaysProps {
  readonly options: SignInOptions;
  /** What the address told; a failed try here replaces it. */
  readonly told: string | null;
  readonly returnTo: string | undefined;
}

function Ways({ options, told, returnTo: wanted }: WaysProps) {
  const { host } = options;
  const { signedIn } = useSession();
  const { navigate } = useRouter();
  const [problem, setProblem] = useState(told);
  const [trying, setTrying] = useState<'demo' | 'token' | null>(null);
  const [token, setToken] = useState('');

  const signIn = async (way: 'demo' | 'token', call: () => Promise<User>) => {
    setTrying(way);
    setProblem(null);
    try {
      signedIn(await call());
      await navigate({ href: returnTo(wanted), replace: true });
    } catch (error) {
      setProblem(wordsOf(error, host));
      setTrying(null);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void signIn('token', () => api.signInWithToken({ body: { token: token.trim() } }));
  };

  return (
    <>
      {problem !== null && <Banner meaning="bad">{problem}</Banner>}
      {options.oauth ? (
        <Button
          size="md"
          leftSection={<MarkGithubIcon size={16} />}
          onClick={() => window.location.assign(addressOf('/auth/login', { query: { return_to: wanted } }))}
        >
          Sign in with {host}
        </Button>
      ) : (
        <>
          <Button size="md" disabled leftSection={<MarkGithubIcon size={16} />}>
            Sign in with {host}
          </Button>
          <p className={classes.off}>{wordsFor('oauth_not_configured', host)}</p>
        </>
      )}
      {options.demo && (
        <Button
          size="md"
          variant="default"
          leftSection={<BeakerIcon size={16} />}
          loading={trying === 'demo'}
          onClick={() => void signIn('demo', () => api.signInToDemo())}
        >
          Explore the demo
        </Button>
      )}
      {options.token && (
        <>
          <div className={classes.or}>or with a personal access token</div>
          <form className={classes.token} onSubmit={submit}>
            <PasswordInput
              aria-label="Personal access token"
              placeholder="Paste a token"
              leftSection={<KeyIcon size={14} />}
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the token', tabIndex: 0 }}
            />
            <Button type="submit" variant="default" disabled={token.trim() === ''} loading={trying === 'token'}>
              Sign in
            </Button>
          </form>
        </>
      )}
      <p className={classes.terms}>
        By signing in you agree to the terms of this installation. Tokens are stored encrypted and used only to read.
      </p>
    </>
  );
}

function wordsOf(error: unknown, host: string): string {
  const code = error instanceof ApiError ? signInErrors.find((known) => known === error.code) : undefined;
  if (code !== undefined) return wordsFor(code, host);
  return error instanceof Error && error.message !== '' ? error.message : wordsFor('unknown', host);
}
