import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { CallAnswer } from '../api/client.ts';
import { addressOf } from '../api/client.ts';
import { askSignInOptions } from '../api/questions.ts';
import { Banner } from '../kit/banner.tsx';
import { browserTimeZone } from '../session/browser-time-zone.ts';
import { useSignOut } from '../session/sign-out.ts';

type Available = CallAnswer<'listAvailableTeams'>;

/** Says that one's token may not read teams, and how it may; nothing where it may. */
export function MissingScope({ available }: { readonly available: Available | undefined }) {
  if (available === undefined || available.missing_scope === null) return null;
  return (
    <Banner meaning="watch" aside={available.missing_scope === 'read:org' && <SignInAgain />}>
      {available.message}
    </Banner>
  );
}

/** Signs in at the host once more, which asks for what is missing; with a token by the page of that. */
export function SignInAgain({ primary = false }: { readonly primary?: boolean }) {
  const { href } = useLocation();
  const options = useQuery({ ...askSignInOptions(), refetchInterval: false }).data;
  const signOut = useSignOut('/login');
  const press = () => {
    if (options?.oauth)
      window.location.assign(addressOf('/auth/login', { query: { return_to: href, time_zone: browserTimeZone() } }));
    else void signOut();
  };
  return (
    <Button variant={primary ? 'filled' : 'default'} disabled={options === undefined} onClick={press}>
      Sign in again
    </Button>
  );
}
