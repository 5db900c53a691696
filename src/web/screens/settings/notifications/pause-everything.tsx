import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { LossDialog } from '../../../kit/loss-dialog.tsx';
import classes from './notifications.module.css';
import { askNotifications } from './questions.ts';

/** Asks before everything is paused: what falls due meanwhile is lost. */
export function PauseEverything({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const pause = useMutation({
    mutationFn: () => api.saveNotifications({ body: { paused: true } }),
    onSuccess(answer) {
      queries.setQueryData(askNotifications().queryKey, answer);
      onClose();
    },
  });
  return (
    <LossDialog
      title="Pause everything"
      action="Pause"
      failure="This could not be saved."
      loss={pause}
      onClose={onClose}
      otherwise="content"
    >
      <p>
        <b>Nothing is sent to you until you switch this off again. Channels that several people read go on.</b>
      </p>
      <p className={classes.why}>
        What waits to be sent now is dropped, and what falls due meanwhile is not sent later. What you switched on stays
        switched on.
      </p>
    </LossDialog>
  );
}
