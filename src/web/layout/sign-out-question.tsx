import { Button } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { type SigningOut, useHostName, useSession } from '../session/session.tsx';
import classes from './sign-out-question.module.css';

/** What becomes of the person's token once their last session has ended; it is deleted unless they say otherwise. */
export default function SignOutQuestion({ to, isLast }: SigningOut) {
  const { stay, endSession } = useSession();
  const host = useHostName();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const choose = (background: boolean) => {
    setChosen(background);
    void endSession(to, background);
  };
  return (
    <Dialog title="Keep reading in the background?" onClose={stay}>
      <p>
        {isLast
          ? 'This is your last session.'
          : 'If this is your last session, choose what becomes of your access token.'}
      </p>
      <ul className={classes.choices}>
        <li>
          <b>No:</b> your access token is deleted here, and revoked at {host} unless you made it yourself. Your syncs,
          mails, Slack messages and personal tokens stop until you sign in again, and your channels are paused until you
          resume them. Other people’s go on.
        </li>
        <li>
          <b>Yes:</b> your syncs go on with the token, for up to 90 days.
        </li>
      </ul>
      <div className={classes.answers}>
        <Button variant="subtle" color="gray" onClick={stay} disabled={chosen !== null}>
          Cancel
        </Button>
        <Button variant="default" loading={chosen === true} disabled={chosen === false} onClick={() => choose(true)}>
          Yes, log out and keep reading
        </Button>
        <Button loading={chosen === false} disabled={chosen === true} onClick={() => choose(false)} data-autofocus>
          No, log out
        </Button>
      </div>
    </Dialog>
  );
}
