import { Button } from '@mantine/core';
import { DeviceDesktopIcon, DeviceMobileIcon, SignOutIcon } from '@primer/octicons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SessionItem } from '#contract/session.ts';
import { api } from '../../api/client.ts';
import { keyOf, unlessGone } from '../../api/query.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { passFocus } from '../../kit/focus-back.ts';
import { useSession } from '../../session/session.tsx';
import { useSignOut } from '../../session/sign-out.ts';
import { When } from '../../time/when.tsx';
import { askSessions } from './questions.ts';
import classes from './settings.module.css';
import { Unlisted } from './unlisted.tsx';

const HEAD = 'sessions';
const head = (
  <span id={HEAD} tabIndex={-1}>
    Sessions
  </span>
);

/** Where this person is signed in, and signing out there or everywhere. */
export function Sessions() {
  const sessions = useQuery(askSessions());
  const [everywhere, setEverywhere] = useState(false);
  const all = sessions.data;
  return (
    <Card
      title={head}
      caption="they end after 7 days, or 24 hours without use"
      controls={
        <Button variant="default" leftSection={<SignOutIcon size={14} />} onClick={() => setEverywhere(true)}>
          Sign out everywhere
        </Button>
      }
      foot="Signing out of the last one deletes the stored token, unless you choose to go on reading in the background."
      flush
    >
      {all === undefined ? (
        <Unlisted title="Failed to fetch your sessions" query={sessions} />
      ) : (
        <ul aria-label="Sessions">
          {all.map((session) => (
            <Session key={session.id} session={session} />
          ))}
        </ul>
      )}
      {everywhere && <SignOutEverywhere onClose={() => setEverywhere(false)} />}
    </Card>
  );
}

function Session({ session }: { session: SessionItem }) {
  const queries = useQueryClient();
  const signOut = useSignOut('/login');
  const name = session.browser ?? 'Unknown browser';
  const end = useMutation({
    // The question about the stored token belongs to this session's own sign-out.
    mutationFn: () => (session.current ? signOut() : api.endSession({ params: { id: session.id } }).catch(unlessGone)),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf('listSessions') }),
  });
  const Device = /iPhone|iPad|Android/.test(name) ? DeviceMobileIcon : DeviceDesktopIcon;
  return (
    <li data-tips>
      <div className={classes.repository}>
        <span className={classes.icon}>
          <Device size={16} />
        </span>
        <div className={classes.what}>
          <div className={classes.name}>
            <b>{name}</b>
            {session.current && <Chip meaning="accent">This session</Chip>}
          </div>
          <div className={classes.facts}>
            <span>
              Signed in <When at={session.created_at} as="ago" />
            </span>
            <span>
              Last used <When at={session.last_used_at} as="ago" />
            </span>
          </div>
        </div>
        <Button
          ref={passFocus(HEAD)}
          variant="default"
          aria-label={session.current ? 'Sign out of this session' : `Sign out of ${name}`}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          Sign out
        </Button>
      </div>
      {end.error && <p className={classes.failed}>{`The session could not be ended. ${causeOf(end.error)}`}</p>}
    </li>
  );
}

function SignOutEverywhere({ onClose }: { onClose: () => void }) {
  const { leave } = useSession();
  const end = useMutation({ mutationFn: () => api.endAllSessions(), onSuccess: () => leave('/login') });
  return (
    <Dialog title="Sign out everywhere" onClose={onClose} otherwise={HEAD}>
      <p>
        <b>Sign out of all sessions, this one too?</b>
      </p>
      <p className={classes.why}>
        The stored token is deleted with the last session: your syncs, mails, Slack messages and personal tokens stop
        until you sign in again, and your channels are paused until you resume them. Your repositories and settings
        stay.
      </p>
      {end.error && <Banner meaning="bad">{`Your sessions could not be ended. ${causeOf(end.error)}`}</Banner>}
      <div className={classes.answers}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button variant="default" className={classes.remove ?? ''} loading={end.isPending} onClick={() => end.mutate()}>
          Sign out everywhere
        </Button>
      </div>
    </Dialog>
  );
}
