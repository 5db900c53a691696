import { Button } from '@mantine/core';
import { CheckIcon, KeyIcon, LinkExternalIcon, WebhookIcon } from '@primer/octicons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { endpoints } from '#contract/endpoints.ts';
import type { AddedRepository, ConnectedRepository } from '#contract/repositories.ts';
import { api } from '../api/client.ts';
import { askConnectedRepositories, askSignInOptions } from '../api/questions.ts';
import { Banner } from '../kit/banner.tsx';
import { CopyField } from '../kit/copy-field.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { causeOf } from '../kit/error-state.tsx';
import { useHostName } from '../session/session.tsx';
import classes from './webhook-setup.module.css';

/** How often to look whether the first delivery has arrived (milliseconds). */
const LOOK_EVERY = 5_000;

/** What makes comments, threads and checks fresh, and tells who may read, beside the two events that are needed (docs/operating.md#webhooks). */
const optionalEvents = [
  'Issue comments',
  'Pull request review comments',
  'Pull request review threads',
  'Pushes',
  'Check suites',
  'Statuses',
  'Repositories',
  'Collaborators',
  'Team adds',
];

/** The id of the button that replaces the secret: the focus comes back to it. */
const ROTATE = 'new-webhook-secret';

interface Props {
  readonly repository: AddedRepository;
  /** Small words beside the secret. */
  readonly note?: string;
  /** Offers to replace the secret. */
  readonly rotates?: boolean;
}

/** All that a webhook needs on the host: address, secret, content type and events; made by hand or by one press. */
export function WebhookSetup({ repository, note, rotates = false }: Props) {
  const { id, owner, name } = repository;
  const host = useHostName();
  const { data: options } = useQuery(askSignInOptions());
  const [rotated, setRotated] = useState<Secret | null>(null);
  const [confirming, setConfirming] = useState(false);
  const { webhook_url, webhook_secret } = rotated ?? repository;
  const arriveIn = (list: readonly ConnectedRepository[] | undefined) =>
    list?.some((one) => one.id === id && one.webhook_active && one.webhook_message === null) === true;
  const { data: connected } = useQuery({
    ...askConnectedRepositories(),
    refetchInterval: ({ state }) => (arriveIn(state.data) ? false : LOOK_EVERY),
  });
  const active = arriveIn(connected);
  const refusal = connected?.find((one) => one.id === id)?.webhook_message ?? null;
  const create = useMutation({ mutationFn: () => api.createWebhook({ params: { id } }) });
  const delivery = (
    <span className={classes.delivery} role="status">
      {active ? <CheckIcon size={14} className={classes.arrived ?? ''} /> : <span className={classes.dot} />}
      {active ? 'Deliveries arrive' : (refusal ?? 'Waiting for the first delivery')}
    </span>
  );
  if (repository.webhook_by === 'app') {
    return (
      <div className={classes.setup}>
        <p className={classes.withheld}>
          The GitHub App that you sign in with tells Mergelight what happens in {owner}/{name}: there is nothing to set
          up.{' '}
          {!active &&
            (options?.install_url ? (
              <>
                If nothing arrives, <a href={options.install_url}>check on {host}</a> that it is installed on this
                repository.
              </>
            ) : (
              `If nothing arrives, check on ${host} that it is installed on this repository.`
            ))}
        </p>
        <div className={classes.row}>{delivery}</div>
      </div>
    );
  }
  if (webhook_url === null || webhook_secret === null) {
    return (
      <div className={classes.setup}>
        <p className={classes.withheld}>
          Only an admin of {owner}/{name} on {host} can see the address and the secret.
          {!active && ' Ask one to connect the repository here and to set up the webhook: it serves everybody.'}
        </p>
        <div className={classes.row}>{delivery}</div>
      </div>
    );
  }
  return (
    <div className={classes.setup}>
      {repository.webhook_by === 'by_hand' && (
        <p className={classes.withheld}>
          The GitHub App that you sign in with cannot create webhooks: create this one by hand on {host}. Or ask whoever
          runs this server to set up the App’s own webhook, which serves every repository.
        </p>
      )}
      {rotated !== null && (
        <Banner meaning="good">
          This is the new secret. Give it to {host} within 24 hours: until then the old one is accepted, too.
        </Banner>
      )}
      <CopyField label="Payload URL" value={webhook_url} />
      <CopyField key={webhook_secret} label="Secret" value={webhook_secret} masked note={note} />
      <div className={classes.two}>
        <CopyField label="Content type" value="application/json" />
        <div>
          <div className={classes.label}>Events</div>
          <div className={classes.events}>Pull requests, Pull request reviews</div>
          <div className={classes.optional}>Optional: {optionalEvents.join(', ')}</div>
        </div>
      </div>
      <div className={classes.row}>
        {repository.webhook_by === 'create' && (
          <Button
            variant="default"
            leftSection={<WebhookIcon size={14} />}
            loading={create.isPending}
            disabled={create.isSuccess}
            onClick={() => create.mutate()}
          >
            {create.isSuccess ? 'Webhook created' : 'Create it for me'}
          </Button>
        )}
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
        {rotates && (
          <Button id={ROTATE} variant="subtle" leftSection={<KeyIcon size={14} />} onClick={() => setConfirming(true)}>
            New secret
          </Button>
        )}
        {delivery}
      </div>
      {create.error && (
        <p className={classes.failed} role="alert">
          {causeOf(create.error)}
        </p>
      )}
      {confirming && (
        <RotateSecret
          repository={repository}
          onRotated={(secret) => {
            setRotated(secret);
            setConfirming(false);
          }}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}

type Secret = AnswerOf<typeof endpoints.rotateWebhook>;

interface RotateProps {
  readonly repository: AddedRepository;
  readonly onRotated: (secret: Secret) => void;
  readonly onClose: () => void;
}

/** Asks before the secret is replaced, and says how long the old one still opens the door. */
function RotateSecret({ repository, onRotated, onClose }: RotateProps) {
  const { id, owner, name } = repository;
  const host = useHostName();
  const rotate = useMutation({ mutationFn: () => api.rotateWebhook({ params: { id } }), onSuccess: onRotated });
  return (
    <Dialog title={`New webhook secret for ${owner}/${name}`} onClose={onClose} otherwise={ROTATE}>
      <p>
        <b>Replace the secret?</b>
      </p>
      <p className={classes.why}>
        The old secret is accepted for 24 hours. Enter the new one in the webhook settings on {host} within that time,
        or deliveries are refused after it.
      </p>
      {rotate.error && <Banner meaning="bad">{`Failed to replace the secret. ${causeOf(rotate.error)}`}</Banner>}
      <div className={classes.answers}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
          Replace the secret
        </Button>
      </div>
    </Dialog>
  );
}
