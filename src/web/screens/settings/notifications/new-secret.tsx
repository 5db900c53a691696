import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { NotificationChannel } from '#contract/notifications.ts';
import { api } from '../../../api/client.ts';
import { CopyField } from '../../../kit/copy-field.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { LossDialog } from '../../../kit/loss-dialog.tsx';
import classes from './notifications.module.css';

/** Asks before the secret of a webhook is replaced, then shows the new one. */
export function NewSecret({
  channel,
  onClose,
}: {
  readonly channel: NotificationChannel;
  readonly onClose: () => void;
}) {
  const renew = useMutation({ mutationFn: () => api.renewChannelSecret({ params: { id: channel.id } }) });
  if (renew.data) return <SecretDialog name={channel.name} secret={renew.data.secret} onClose={onClose} />;
  return (
    <LossDialog
      title={`New secret for ${channel.name}`}
      action="Replace the secret"
      failure="The secret could not be replaced."
      loss={renew}
      onClose={onClose}
      otherwise="channels"
    >
      <p className={classes.why}>
        Messages are signed with the new secret from now on: whoever checks the signature with the old one refuses them
        until they are given the new one.
      </p>
    </LossDialog>
  );
}

interface SecretProps {
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A secret, this once. */
export function SecretDialog({ name, secret, onClose }: SecretProps) {
  return (
    <Dialog title={`Secret of ${name}`} onClose={onClose} otherwise="channels" staysOpen>
      <Secret secret={secret} />
      <div className={classes.answers}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

function Secret({ secret }: { readonly secret: string }) {
  return (
    <>
      <p className={classes.why}>
        Copy it now: it is shown this once. The receiver checks X-Mergelight-Signature with it, the HMAC-SHA256 of
        X-Mergelight-Timestamp, a dot and the body, and refuses what is older than 5 minutes.
      </p>
      <CopyField label="Secret" value={secret} />
    </>
  );
}
