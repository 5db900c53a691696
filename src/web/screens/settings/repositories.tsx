import { Button } from '@mantine/core';
import { AlertIcon, CheckIcon, LockIcon, PlusIcon, RepoIcon, TrashIcon, WebhookIcon } from '@primer/octicons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConnectedRepository } from '#contract/repositories.ts';
import { api } from '../../api/client.ts';
import { ask } from '../../api/query.ts';
import { Card } from '../../panels/card.tsx';
import { Chip } from '../../panels/chip.tsx';
import { EmptyState } from '../../panels/empty-state.tsx';
import { causeOf, ErrorState } from '../../panels/error-state.tsx';
import { formatCount } from '../../panels/moment.ts';
import { Late, Line } from '../../panels/skeleton.tsx';
import { WebhookSetup } from '../../panels/webhook-setup.tsx';
import { When } from '../../panels/when.tsx';
import { RemoveRepository } from './remove-repository.tsx';
import classes from './settings.module.css';

const HEAD = 'connected-repositories';
const head = (
  <span id={HEAD} tabIndex={-1}>
    Connected repositories
  </span>
);

/** The connected repositories: how fresh each is, whether its webhook delivers, its set-up again, and its removal. */
export function Repositories() {
  const repositories = useQuery(ask('listConnectedRepositories', undefined));
  const all = repositories.data;
  return (
    <Card title={head} caption={all && all.length > 0 && formatCount(all.length)} flush>
      {all === undefined ? (
        repositories.error ? (
          <ErrorState
            title="Failed to fetch repositories"
            error={repositories.error}
            onRetry={() => void repositories.refetch()}
          />
        ) : (
          <Late>
            <div className={classes.repository}>
              <Line width="14rem" />
            </div>
          </Late>
        )
      ) : all.length === 0 ? (
        <EmptyState
          title="Connect Your First Repository"
          why="Pull requests and reviews appear with its first sync."
          next={
            <Button component={Link} to="/add-repo" variant="default" leftSection={<PlusIcon size={14} />}>
              Add Repository
            </Button>
          }
        />
      ) : (
        <ul aria-label="Connected repositories">
          {all.map((repository) => (
            <Repository key={repository.id} repository={repository} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Repository({ repository }: { repository: ConnectedRepository }) {
  const [removing, setRemoving] = useState(false);
  const { owner, name, full_name, pull_requests, last_synced_at } = repository;
  // Connecting again answers the same address and secret (server specification, section 8).
  const setup = useMutation({ mutationFn: () => api.connectRepository({ body: { owner, name } }) });
  return (
    <li>
      <div className={classes.repository}>
        <span className={classes.icon}>{repository.private ? <LockIcon size={16} /> : <RepoIcon size={16} />}</span>
        <div className={classes.what}>
          <div className={classes.name}>
            <b>{full_name}</b>
            <Chip meaning="good">Connected</Chip>
          </div>
          <div className={classes.facts}>
            <span>{formatCount(pull_requests)} pull requests</span>
            {last_synced_at === null ? (
              <span>Not synced yet</span>
            ) : (
              <span>
                Synced <When at={last_synced_at} as="ago" />
              </span>
            )}
            <WebhookHealth repository={repository} />
          </div>
        </div>
        <Button
          variant="default"
          leftSection={<WebhookIcon size={14} />}
          loading={setup.isPending}
          aria-expanded={setup.isSuccess}
          onClick={() => (setup.isSuccess ? setup.reset() : setup.mutate())}
        >
          {setup.isSuccess ? 'Hide webhook' : 'Webhook set-up'}
        </Button>
        <Button
          variant="default"
          className={classes.remove ?? ''}
          leftSection={<TrashIcon size={14} />}
          aria-label={`Remove ${full_name}`}
          onClick={() => setRemoving(true)}
        >
          Remove
        </Button>
      </div>
      {setup.error && (
        <p className={classes.failed} role="alert">
          {causeOf(setup.error)}
        </p>
      )}
      {setup.data && (
        <div className={classes.setup}>
          <WebhookSetup repository={setup.data} />
        </div>
      )}
      {removing && <RemoveRepository repository={repository} onClose={() => setRemoving(false)} otherwise={HEAD} />}
    </li>
  );
}

function WebhookHealth({ repository }: { repository: ConnectedRepository }) {
  const { webhook_active, webhook_last_delivery_at } = repository;
  if (!webhook_active) {
    return (
      <span>
        <AlertIcon size={12} /> No webhook deliveries yet
      </span>
    );
  }
  return (
    <span className={classes.healthy}>
      <CheckIcon size={12} /> Webhook delivers
      {webhook_last_delivery_at !== null && (
        <>
          , last <When at={webhook_last_delivery_at} as="ago" />
        </>
      )}
    </span>
  );
}
