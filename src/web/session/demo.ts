import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { signInErrors } from '#domain/sign-in-errors.ts';
import { ApiError, api } from '../api/client.ts';
import { askSignInOptions } from '../api/questions.ts';
import { browserTimeZone } from './browser-time-zone.ts';
import { useSession } from './session.tsx';

interface Demo {
  /** Whether this server has a demo; false while that is not known. */
  readonly offered: boolean;
  /** The host's name for people; 'GitHub' while that is not known. */
  readonly host: string;
  readonly opening: boolean;
  /** Signs in to the demo and opens the dashboard; what goes wrong is worded by the sign-in page. */
  readonly open: () => Promise<void>;
}

/** The way into the demo from outside the sign-in page (docs/product.md#screens-and-addresses). */
export function useDemo(): Demo {
  const options = useQuery({ ...askSignInOptions(), refetchInterval: false }).data;
  const { signedIn } = useSession();
  const navigate = useNavigate();
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    try {
      signedIn(await api.signInToDemo({ body: { time_zone: browserTimeZone() } }));
      await navigate({ to: '/dashboard' });
    } catch (problem) {
      setOpening(false);
      const code = problem instanceof ApiError ? signInErrors.find((known) => known === problem.code) : undefined;
      await navigate({ to: '/login', search: { error: code ?? 'unknown' } });
    }
  };
  return { offered: options?.demo === true, host: options?.host ?? 'GitHub', opening, open };
}
