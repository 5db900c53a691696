import { Button } from '@mantine/core';
import { CheckIcon, LinkExternalIcon, WebhookIcon } from '@primer/octicons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { AddedRepository } from '#contract/repositories.ts';
import { api } from '../api/client.ts';
import { ask } from '../api/query.ts';
import { useHostName } from '../session/session.tsx';
import { CopyField } from './copy-field.tsx';
import { causeOf } from './error-state.tsx';
import classes from './webhook-setup.module.css';

/** How often to look whether the first delivery has arrived (milliseconds). */
const LOOK_EVERY = 5_000;

/** What makes comments, threads and checks fresh beside the two events that are needed (server specification, sections 6 and 8). */
const optionalEvents = [
  'Issue comments',
  'Pull request review comments',
  'Pull request review threads',
  'Pushes',
  'Check suites',
  'Statuses',
  'Repositories',
];

interface Props {
  readonly repository: AddedRepository;
  /** Small words beside the secret. */
  readonly note?: string;
}

/** All that a webhook needs on the host: address, secret, content type and events; made by hand or by one press. */
export function WebhookSetup({ repository, note }: Props) {
  const { id, owner, name, webhook_url, webhook_secret } = repository;
  const host = useHostName();
  const { data: options } = useQuery(ask('getSignInOptions', undefined));
  const connected = useQuery({
    ...ask('listConnectedRepositories', undefined),
    refetchInterval: ({ state }) =>
      state.data?.find((one) => one.id === id)?.webhook_active === true ? false : LOOK_EVERY,
  });
  const active = connected.data?.find((one) => one.id === id)?.webhook_active === true;
  const create = useMutation({ mutationFn: () => api.createWebhook({ params: { id } }) });
  return (
    <div className={classes.setup}>
      <CopyField label="Payload URL" value={webhook_url} />
      <CopyField label="Secret" value={webhook_secret} masked note={note} />
      <div className={classes.two}>
        <CopyField label="Content type" value="application/json" />
        <div>
          <div className={classes.label}>Events</div>
          <div className={classes.events}>Pull requests, Pull request reviews</div>
          <div className={classes.optional}>Optional: {optionalEvents.join(', ')}</div>
        </div>
      </div>
      <div className={classes.row}>
        <Button
          variant="default"
          leftSection={<WebhookIcon size={14} />}
          loading={create.isPending}
          disabled={create.isSuccess || active}
          onClick={() => create.mutate()}
        >
          {create.isSuccess ? 'Webhook created' : 'Create it for me'}
        </Button>
        {options && (
          <Button
            component="a"
            variant="subtle"
            href={`${options.host_url}/${owner}/${name}/settings/hooks/new`}
            target="_blank"
            rel="noreferrer"
            rightSection={<LinkExternalIcon size={14} />}
          >
            Open webhook settings on {host}
          </Button>
        )}
        <span className={classes.delivery} role="status">
          {active ? <CheckIcon size={14} className={classes.arrived ?? ''} /> : <span className={classes.dot} />}
          {active ? 'Deliveries arrive' : 'Waiting for the first delivery'}
        </span>
      </div>
      {create.error && (
        <p className={classes.failed} role="alert">
          {causeOf(create.error)}
        </p>
      )}
    </div>
  );
}
