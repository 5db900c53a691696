import { Button, Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { SearchIcon, SyncIcon, TrashIcon, WebhookIcon } from '@primer/octicons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ConnectedRepository } from '#contract/repositories.ts';
import { counted } from '#domain/counted.ts';
import { api } from '../../api/client.ts';
import { unlessGone } from '../../api/query.ts';
import { Banner } from '../../kit/banner.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { LossDialog } from '../../kit/loss-dialog.tsx';
import { Select } from '../../kit/select.tsx';
import { useSync } from '../../sync/sync-state.tsx';
import { formatCount } from '../../time/moment.ts';
import { type Order, orders } from './repository-order.ts';
import classes from './settings.module.css';

/** The id of the field that searches. */
export const SEARCH = 'search-connected-repositories';

const words: Readonly<Record<Order, string>> = {
  name: 'By name',
  synced: 'Longest not synced first',
  pull_requests: 'Most pull requests first',
  failing: 'Failing first',
};

/** Webhooks that are created by one call: the host is asked up to three times for each, and the server answers within half a minute. */
const WEBHOOKS_AT_ONCE = 20;

interface Props {
  readonly shown: readonly ConnectedRepository[];
  /** Whether there are enough to search and order them. */
  readonly finds: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (selected: ReadonlySet<number>) => void;
  /** Asks before these are removed. */
  readonly onRemove: (repositories: readonly ConnectedRepository[]) => void;
}

/** Finding among many connected repositories, and what can be done with several at once. */
export function SeveralRepositories(props: Props) {
  const { shown, finds, text, onText, order, onOrder, selected, onSelect, onRemove } = props;
  const sync = useSync();
  const chosen = shown.filter(({ id }) => selected.has(id));
  const readable = chosen.filter(({ access }) => access.state === 'readable');
  const webhooks = useMutation({
    mutationFn: async () => {
      const ids = readable.map(({ id }) => id);
      // What is searched for meanwhile shows others.
      const names = new Map(readable.map(({ id, full_name }) => [id, full_name]));
      const results: Awaited<ReturnType<typeof api.createWebhooks>>['results'] = [];
      for (let at = 0; at < ids.length; at += WEBHOOKS_AT_ONCE) {
        try {
          results.push(...(await api.createWebhooks({ body: { ids: ids.slice(at, at + WEBHOOKS_AT_ONCE) } })).results);
        } catch (error) {
          if (at === 0) throw error;
          return { names, results, left: ids.length - at, error };
        }
      }
      return { names, results, left: 0, error: null };
    },
  });
  const refused = webhooks.data?.results.filter(({ status }) => status === 'refused') ?? [];
  const made = webhooks.data?.results.filter(({ status }) => status === 'created').length ?? 0;
  return (
    <>
      <div className={classes.order}>
        <Checkbox
          aria-label={`Select all ${formatCount(shown.length)} shown`}
          label={finds ? undefined : 'Select all'}
          checked={shown.length > 0 && chosen.length === shown.length}
          indeterminate={chosen.length > 0 && chosen.length < shown.length}
          onChange={({ currentTarget }) => onSelect(new Set(currentTarget.checked ? shown.map(({ id }) => id) : []))}
        />
        {finds && (
          <>
            <TextInput
              id={SEARCH}
              type="search"
              className={classes.find ?? ''}
              aria-label="Search connected repositories"
              placeholder="Search connected repositories..."
              leftSection={<SearchIcon size={16} />}
              value={text}
              onChange={({ currentTarget }) => onText(currentTarget.value)}
            />
            <Select
              aria-label="Order"
              value={order}
              onChange={({ currentTarget }) => onOrder(orders.find((one) => one === currentTarget.value) ?? 'name')}
              data={orders.map((value) => ({ value, label: words[value] }))}
            />
          </>
        )}
      </div>
      {chosen.length > 0 && (
        <div className={classes.actions} role="toolbar" aria-label="With those selected">
          <span role="status">{formatCount(chosen.length)} selected</span>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<SyncIcon size={14} />}
            disabled={readable.length === 0 || sync.active}
            onClick={() => {
              sync.start('smart', ...readable.map(({ id }) => id));
              onSelect(new Set());
            }}
          >
            Sync
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<WebhookIcon size={14} />}
            disabled={readable.length === 0}
            loading={webhooks.isPending}
            onClick={() => webhooks.mutate()}
          >
            Create webhooks
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<TrashIcon size={14} />}
            onClick={() => onRemove(chosen)}
          >
            Remove
          </Button>
        </div>
      )}
      {webhooks.error && <Banner meaning="bad">{`Failed to create webhooks. ${causeOf(webhooks.error)}`}</Banner>}
      {webhooks.data && (
        <Banner
          meaning={refused.length > 0 || webhooks.data.left > 0 ? 'watch' : 'good'}
          onClose={() => webhooks.reset()}
        >
          {[
            `${formatCount(made)} created, ${formatCount(webhooks.data.results.length - made - refused.length)} there already.`,
            ...refused.map(({ id, reason }) => `${webhooks.data.names.get(id)}: ${reason}`),
            ...(webhooks.data.left > 0
              ? [`Failed for the other ${formatCount(webhooks.data.left)}. ${causeOf(webhooks.data.error)}`]
              : []),
          ].join('\n')}
        </Banner>
      )}
    </>
  );
}

interface RemoveProps {
  readonly repositories: readonly ConnectedRepository[];
  readonly otherwise: string;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/**
 * Asks before several repositories are removed; one that fails stops none and is left for another press, closing the dialog stops those
 * that are still to come.
 */
export function RemoveSeveral({ repositories, otherwise, onClose, onRemoved }: RemoveProps) {
  const queries = useQueryClient();
  const { forget } = useSync();
  const [left, setLeft] = useState(repositories);
  const isClosed = useRef(false);
  const close = () => {
    isClosed.current = true;
    onClose();
  };
  const remove = useMutation({
    mutationFn: async () => {
      const failed = new Map<ConnectedRepository, string>();
      for (const repository of left) {
        if (isClosed.current) break;
        try {
          await api.disconnectRepository({ params: { id: repository.id } }).catch(unlessGone);
          forget(repository.id);
        } catch (error) {
          failed.set(repository, `${repository.full_name}: ${causeOf(error)}`);
        }
      }
      if (failed.size === 0) return;
      setLeft([...failed.keys()]);
      throw new Error([...failed.values()].join('\n'));
    },
    onSettled: async (_, error) => {
      await queries.invalidateQueries();
      if (error !== null || isClosed.current) return;
      onRemoved();
      onClose();
    },
  });
  const names = left.slice(0, 5).map(({ full_name }) => full_name);
  const more = left.length - names.length;
  return (
    <LossDialog
      title={`Remove ${counted(left.length, 'repository', 'repositories')}`}
      action="Remove repositories"
      failure="Failed to delete repositories:"
      loss={remove}
      onClose={close}
      otherwise={otherwise}
    >
      <p>
        <b>Are you sure you want to remove these repositories?</b>
      </p>
      <p className={classes.why}>
        {names.join(', ')}
        {more > 0 && ` and ${formatCount(more)} more`}. Their pull requests leave your dashboards, and syncs of them
        that are running stop. Other people keep them; what nobody has connected any more is deleted here. Nothing
        changes on the host.
      </p>
    </LossDialog>
  );
}
