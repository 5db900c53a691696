import { Button, PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { BeakerIcon, KeyIcon, MarkGithubIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate, useRouter } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import type { SignInOptions, User } from '#contract/session.ts';
import { signInErrors } from '#domain/sign-in-errors.ts';
import { ApiError, addressOf, api } from '../../api/client.ts';
import { askSignInOptions } from '../../api/questions.ts';
import { documentationOf } from '../../explain/documentation.ts';
import { Banner } from '../../kit/banner.tsx';
import { causeOf, ErrorState } from '../../kit/error-state.tsx';
import { FooterLinks } from '../../layout/footer-links.tsx';
import { Mark } from '../../layout/mark.tsx';
import { useDocumentTitle } from '../../layout/page.tsx';
import { browserTimeZone } from '../../session/browser-time-zone.ts';
import { SessionLoading } from '../../session/guard.tsx';
import { returnTo } from '../../session/return-to.ts';
import { useSession } from '../../session/session.tsx';
import classes from './login.module.css';
import { SampleBand } from './sample-band.tsx';
import type { LoginProblem } from './search.ts';
import { wordsFor } from './words.ts';

const route = getRouteApi('/login');

/** The sign-in page: by the host, into the demo, or with a token, as far as the server offers each. */
export function LoginScreen() {
  useDocumentTitle('Sign in');
  const session = useSession();
  const { error, return_to, access, request_id } = route.useSearch();
  const options = useQuery({ ...askSignInOptions(), refetchInterval: false });

  if (session.status === 'loading' || options.isLoading) return <SessionLoading />;
  // Whoever signed in again, which failed, is still signed in as before.
  const hasFailed = error !== undefined && error !== 'session_expired' && error !== 'logout_failed';
  if (session.status === 'signed-in' && !hasFailed) return <Navigate to={returnTo(return_to)} replace />;
  const host = options.data?.host ?? 'GitHub';
  const unchecked = session.status === 'signed-in' ? null : session.unchecked;
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
            <Ways options={options.data} told={error} returnTo={return_to} access={access} requestId={request_id} />
          ) : options.error ? (
            <ErrorState title="The ways to sign in could not be fetched" error={options.error} onRetry={again} />
          ) : (
            <Button size="md" loading aria-label={`Sign in with ${host}`} />
          )}
        </div>
        <FooterLinks />
      </main>
      <SampleBand />
    </div>
  );
}

interface WaysProps {
  readonly options: SignInOptions;
  /** What the address told; a failed try here replaces it. */
  readonly told: LoginProblem | undefined;
  readonly returnTo: string | undefined;
  readonly access: 'public' | undefined;
  /** Of the request that failed. */
  readonly requestId: string | undefined;
}

function Ways({ options, told, returnTo: wanted, access, requestId }: WaysProps) {
  const { host } = options;
  const { signedIn, status } = useSession();
  const { navigate } = useRouter();
  const [problem, setProblem] = useState(told === undefined ? null : wordsFor(told, host, requestId));
  const goOn = () => navigate({ href: returnTo(wanted), replace: true });
  /** Stores the token that may read less, where that is what went wrong. */
  const [replace, setReplace] = useState<(() => void) | null>(() =>
    told === 'weaker_token' ? () => signInAtHost({ access, replace: true }) : null,
  );
  const [trying, setTrying] = useState<'demo' | 'token' | null>(null);
  const [token, setToken] = useState('');
  const tokenField = useId();
  /** The token is the first way of all. */
  const isFirst = !options.oauth && !options.demo;

  const signIn = async (way: 'demo' | 'token', call: () => Promise<User>) => {
    setTrying(way);
    setProblem(null);
    setReplace(null);
    try {
      signedIn(await call());
      await goOn();
    } catch (error) {
      setProblem(wordsOf(error, host));
      if (error instanceof ApiError && error.code === 'weaker_token') setReplace(() => () => void withToken(true));
      setTrying(null);
    }
  };
  const withToken = (replace: boolean) =>
    signIn('token', () =>
      api.signInWithToken({ body: { token: token.trim(), replace, time_zone: browserTimeZone() } }),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void withToken(false);
  };
  function signInAtHost(wish: { access?: 'public' | undefined; replace?: true }) {
    window.location.assign(
      addressOf('/auth/login', { query: { return_to: wanted, time_zone: browserTimeZone(), ...wish } }),
    );
  }

  return (
    <>
      {problem !== null && (
        <Banner
          meaning={replace === null ? 'bad' : 'watch'}
          aside={
            <>
              {replace !== null && (
                <Button variant="default" onClick={replace}>
                  Replace it
                </Button>
              )}
              {status === 'signed-in' && (
                <Button variant="default" onClick={() => void goOn()}>
                  Go back
                </Button>
              )}
            </>
          }
        >
          {problem}
        </Banner>
      )}
      {options.oauth && (
        <>
          <Button size="md" leftSection={<MarkGithubIcon size={16} />} onClick={() => signInAtHost({})}>
            Sign in with {host}
          </Button>
          <WhatItMayRead options={options} returnTo={wanted} />
        </>
      )}
      {options.demo && (
        <Button
          size="md"
          variant={options.oauth ? 'default' : 'filled'}
          leftSection={<BeakerIcon size={16} />}
          loading={trying === 'demo'}
          onClick={() => void signIn('demo', () => api.signInToDemo({ body: { time_zone: browserTimeZone() } }))}
        >
          View Demo
        </Button>
      )}
      {options.token && (
        <>
          {isFirst ? (
            <label htmlFor={tokenField}>With a personal access token</label>
          ) : (
            <div className={classes.or}>or with a personal access token</div>
          )}
          <form className={classes.token} onSubmit={submit}>
            <PasswordInput
              id={tokenField}
              {...(!isFirst && { 'aria-label': 'Personal access token' })}
              placeholder="Paste a token"
              leftSection={<KeyIcon size={14} />}
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the token', tabIndex: 0 }}
            />
            <Button
              type="submit"
              variant={isFirst ? 'filled' : 'default'}
              disabled={token.trim() === ''}
              loading={trying === 'token'}
            >
              Sign in
            </Button>
          </form>
        </>
      )}
      {!options.oauth && !options.demo && !options.token && (
        <p className={classes.off}>{wordsFor('oauth_not_configured', host)}</p>
      )}
      <p className={classes.terms}>
        By signing in you agree to the terms of this installation. Tokens are stored encrypted and used only to read.
      </p>
      {!options.oauth && (
        <p className={classes.setUp}>
          {host} sign-in: <a href={documentationOf.signIn}>how to set it up</a>
        </p>
      )}
    </>
  );
}

/** What signing in by the host allows, before anybody presses the button. */
function WhatItMayRead({
  options,
  returnTo: wanted,
}: {
  readonly options: SignInOptions;
  readonly returnTo: string | undefined;
}) {
  const { host, github_app, install_url } = options;
  if (!github_app)
    return (
      <p className={classes.permission}>
        {host} has no read-only scope for private repositories: its page asks for read and write access. Mergelight only
        reads. If that is too much, sign in for{' '}
        <a
          href={addressOf('/auth/login', {
            query: { access: 'public', return_to: wanted, time_zone: browserTimeZone() },
          })}
        >
          public repositories only
        </a>
        .
      </p>
    );
  return (
    <p className={classes.permission}>
      Mergelight reads, and private repositories only where its GitHub App is installed.{' '}
      {install_url === null ? (
        `Whoever runs this server knows the App’s page on ${host}, where you install it.`
      ) : (
        <a href={install_url}>Install it on {host}</a>
      )}
    </p>
  );
}

function wordsOf(error: unknown, host: string): string {
  const code = error instanceof ApiError ? signInErrors.find((known) => known === error.code) : undefined;
  // The server's own sentence says how long to wait, or which organization it is.
  if (code !== undefined && code !== 'too_many_requests' && code !== 'sso_required') return wordsFor(code, host);
  return error instanceof Error && error.message !== '' ? error.message : wordsFor('unknown', host);
}
