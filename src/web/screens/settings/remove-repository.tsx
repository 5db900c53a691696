import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ConnectedRepository } from '#contract/repositories.ts';
import { counted } from '#domain/counted.ts';
import { api } from '../../api/client.ts';
import { unlessGone } from '../../api/query.ts';
import { LossDialog } from '../../kit/loss-dialog.tsx';
import { useSync } from '../../sync/sync-state.tsx';
import classes from './settings.module.css';

interface Props {
  readonly repository: ConnectedRepository;
  readonly onClose: () => void;
  /** The id of what gets the focus once the repository is gone. */
  readonly otherwise: string;
}

/** Asks before a repository is removed, and says what goes with it (docs/product.md#settings). */
export function RemoveRepository({ repository, onClose, otherwise }: Props) {
  const queries = useQueryClient();
  const { forget } = useSync();
  const { id, full_name, pull_requests } = repository;
  const remove = useMutation({
    mutationFn: () => api.disconnectRepository({ params: { id } }).catch(unlessGone),
    onSuccess: async () => {
      forget(id);
      await queries.invalidateQueries();
      onClose();
    },
  });
  return (
    <LossDialog
      title={`Remove ${full_name}`}
      action="Remove repository"
      failure="Failed to delete repository."
      loss={remove}
      onClose={onClose}
      otherwise={otherwise}
    >
      <p>
        <b>Are you sure you want to remove this repository?</b>
      </p>
      <p className={classes.why}>
        {`Its ${pull_requests === null ? 'pull requests leave' : `${counted(pull_requests, 'pull request')} ${pull_requests === 1 ? 'leaves' : 'leave'}`} your dashboards, and a sync of it that is running stops. Other people keep them; when nobody has it connected any more, its data is deleted here. Nothing changes on the host.`}
      </p>
    </LossDialog>
  );
}
