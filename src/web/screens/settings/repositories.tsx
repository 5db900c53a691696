import { ActionIcon, Button, Checkbox, VisuallyHidden } from '@mantine/core';
import { AlertIcon, CheckIcon, LockIcon, PlusIcon, RepoIcon, TrashIcon, WebhookIcon } from '@primer/octicons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConnectedRepository } from '#contract/repositories.ts';
import { counted } from '#domain/counted.ts';
import { api } from '../../api/client.ts';
import { askConnectedRepositories } from '../../api/questions.ts';
import { useTypedText } from '../../filters/typed-text.ts';
import { Card } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { passFocus } from '../../kit/focus-back.ts';
import { spokenTens } from '../../kit/spoken-tens.ts';
import { useUser } from '../../session/session.tsx';
import { useHereAlready } from '../../sync/here-already.ts';
import { WebhookSetup } from '../../sync/webhook-setup.tsx';
import { formatCount, formatDay, instantOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { When } from '../../time/when.tsx';
import { useUrlFilter } from '../../url/url-filter.ts';
import { readOneOf } from '../../url/url-state.ts';
import { RemoveRepository } from './remove-repository.tsx';
import { inOrder, orders } from './repository-order.ts';
import classes from './settings.module.css';
import { RemoveSeveral, SEARCH, SeveralRepositories } from './several-repositories.tsx';
import { Unlisted } from './unlisted.tsx';

const MINUTE = 60_000;
/** How many there must be to select several at once. */
const SEVERAL = 2;
/** How many there must be for a search and an order. */
const MANY = 6;
const HEAD = 'connected-repositories';
const head = (
  <span id={HEAD} tabIndex={-1}>
    Connected repositories
  </span>
);

/** The connected repositories: how fresh each is, whether its webhook delivers, its set-up again, and its removal. */
export function Repositories() {
  const repositories = useQuery(askConnectedRepositories());
  const all = repositories.data;
  const [typed = '', setTyped] = useUrlFilter('q');
  const { shown: text, set: setText } = useTypedText(typed, (to) => setTyped(to || undefined));
  const [inAddress, setOrder] = useUrlFilter('order');
  const order = readOneOf(inAddress, orders) ?? 'name';
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [removing, setRemoving] = useState<readonly ConnectedRepository[]>([]);
  const areSeveral = (all?.length ?? 0) >= SEVERAL;
  const areMany = (all?.length ?? 0) >= MANY;
  const shown = inOrder(all ?? [], areMany ? text : '', areMany ? order : 'name');
  return (
    <Card title={head} caption={all && all.length > 0 && formatCount(all.length)} flush>
      {all !== undefined && <HereAlready />}
      {all === undefined ? (
        <Unlisted title="Failed to fetch repositories" query={repositories} />
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
        <>
          <ReadingAgain repositories={all} />
          {areSeveral && (
            <SeveralRepositories
              shown={shown}
              finds={areMany}
              text={text}
              onText={setText}
              order={order}
              onOrder={(to) => setOrder(to === 'name' ? undefined : to)}
              selected={selected}
              onSelect={setSelected}
              onRemove={setRemoving}
            />
          )}
          {shown.length === 0 ? (
            <EmptyState
              title={`No repository matches “${text.trim()}”`}
              next={
                <Button ref={passFocus(SEARCH)} variant="default" onClick={() => setText('')}>
                  Clear
                </Button>
              }
            />
          ) : (
            <ul aria-label="Connected repositories">
              {shown.map((repository) => (
                <Repository
                  key={repository.id}
                  repository={repository}
                  selected={areSeveral ? selected.has(repository.id) : null}
                  onSelect={(isSelected) => {
                    const next = new Set(selected);
                    if (isSelected) next.add(repository.id);
                    else next.delete(repository.id);
                    setSelected(next);
                  }}
                />
              ))}
            </ul>
          )}
        </>
      )}
      {removing.length === 1 && removing[0] && (
        <RemoveRepository repository={removing[0]} otherwise={HEAD} onClose={() => setRemoving([])} />
      )}
      {removing.length > 1 && (
        <RemoveSeveral
          repositories={removing}
          otherwise={HEAD}
          onClose={() => setRemoving([])}
          onRemoved={() => setSelected(new Set())}
        />
      )}
    </Card>
  );
}

/** That others have imported something which this person could add; nothing where there is none. */
function HereAlready() {
  const here = useHereAlready();
  if (here === null) return null;
  return (
    <p className={classes.reading} role="status">
      {here.sentence}.{' '}
      <Button variant="subtle" size="compact-sm" loading={here.addAll.isPending} onClick={() => here.addAll.mutate()}>
        {here.count === 1 ? 'Add it' : 'Add all'}
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        renderRoot={(props) => <Link to="/add-repo" search={{ from: 'host' }} {...props} />}
      >
        Choose …
      </Button>
      {here.addAll.error && ` Failed to add the repositories. ${causeOf(here.addAll.error)}`}
    </p>
  );
}

/** How far the pull requests of earlier versions are read again, in one line; nothing when there are none. */
function ReadingAgain({ repositories }: { repositories: readonly ConnectedRepository[] }) {
  const now = useNow();
  const { time_zone } = useUser();
  const reading = repositories.flatMap(({ reading_again }) => reading_again ?? []);
  if (reading.length === 0) return null;
  const sum = (field: 'done' | 'total') => reading.reduce((total, one) => total + one[field], 0);
  const [done, total] = [sum('done'), sum('total')];
  const newest = Math.max(...reading.flatMap(({ since }) => (since === null ? [] : Date.parse(since))));
  const share = total === 0 ? 0 : Math.min(99, Math.floor((done / total) * 100));
  return (
    <>
      <VisuallyHidden role="status">{`Earlier pull requests are read again: ${spokenTens(share)}.`}</VisuallyHidden>
      <p className={classes.reading}>
        Labels, assignees and agents’ traces of earlier pull requests are being read: {share} %, {formatCount(done)} of{' '}
        {formatCount(total)}
        {done > 0 && Number.isFinite(newest) && `, since ${formatDay(newest, now, time_zone)}`}. All figures are shown
        meanwhile.
      </p>
    </>
  );
}

interface RepositoryProps {
  readonly repository: ConnectedRepository;
  /** Null where single ones cannot be selected. */
  readonly selected: boolean | null;
  readonly onSelect: (selected: boolean) => void;
}

function Repository({ repository, selected, onSelect }: RepositoryProps) {
  const [removing, setRemoving] = useState(false);
  const { owner, name, full_name, access } = repository;
  // Connecting again answers the same address and secret (docs/server.md#connections).
  const setup = useMutation({ mutationFn: () => api.connectRepository({ body: { owner, name } }) });
  return (
    <li>
      <div className={classes.repository} data-tips>
        {selected !== null && (
          <Checkbox
            aria-label={`Select ${full_name}`}
            checked={selected}
            onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
          />
        )}
        <span className={classes.icon}>{repository.private ? <LockIcon size={16} /> : <RepoIcon size={16} />}</span>
        <div className={classes.what}>
          <div className={classes.name}>
            <b>{full_name}</b>
            {access.state === 'readable' ? (
              <Chip meaning="good">Connected</Chip>
            ) : (
              <Chip meaning={access.state === 'checking' ? 'neutral' : 'watch'}>
                {access.state === 'checking' ? 'Checking' : 'Not readable'}
              </Chip>
            )}
          </div>
          {access.state === 'readable' ? <Facts repository={repository} /> : <WhyHidden repository={repository} />}
        </div>
        {access.state === 'readable' && (
          <Button
            variant="default"
            leftSection={<WebhookIcon size={14} />}
            loading={setup.isPending}
            aria-expanded={setup.isSuccess}
            onClick={() => (setup.isSuccess ? setup.reset() : setup.mutate())}
          >
            {setup.isSuccess ? 'Hide webhook' : 'Webhook set-up'}
          </Button>
        )}
        <ActionIcon
          className={classes.removeQuietly ?? ''}
          variant="default"
          size={32}
          aria-label={`Remove ${full_name}`}
          data-tip="Remove"
          onClick={() => setRemoving(true)}
        >
          <TrashIcon size={14} />
        </ActionIcon>
      </div>
      {setup.error && (
        <p className={classes.failed} role="alert">
          {causeOf(setup.error)}
        </p>
      )}
      {setup.data && (
        <div className={classes.setup}>
          <WebhookSetup repository={setup.data} rotates />
        </div>
      )}
      {removing && <RemoveRepository repository={repository} onClose={() => setRemoving(false)} otherwise={HEAD} />}
    </li>
  );
}

function Facts({ repository }: { repository: ConnectedRepository }) {
  const { pull_requests, last_synced_at, message } = repository;
  return (
    <div className={classes.facts}>
      {pull_requests !== null && <span>{counted(pull_requests, 'pull request')}</span>}
      {last_synced_at === null ? (
        <span>Not synced yet</span>
      ) : (
        <span>
          Synced <When at={last_synced_at} as="ago" />
        </span>
      )}
      <WebhookHealth repository={repository} />
      {message !== null && <span>{message}</span>}
    </div>
  );
}

/** Why nothing of a repository is shown, what brings it back, and when the host is asked again. */
function WhyHidden({ repository: { access } }: { repository: ConnectedRepository }) {
  return (
    <div className={classes.facts}>
      <span>
        {access.state === 'lost' && <AlertIcon size={12} />} {access.reason}
      </span>
      {access.link !== null && (
        <a href={access.link} rel="noreferrer">
          Sign in to the organization
        </a>
      )}
      {access.state === 'lost' && (
        <span>
          Checked <When at={access.checked_at} as="ago" />, and again by itself
        </span>
      )}
    </div>
  );
}

function WebhookHealth({ repository }: { repository: ConnectedRepository }) {
  const now = useNow();
  const { webhook_active, webhook_last_delivery_at, webhook_message } = repository;
  if (webhook_message !== null) {
    return (
      <span className={classes.refused}>
        <AlertIcon size={12} /> {webhook_message}
      </span>
    );
  }
  if (!webhook_active) {
    return (
      <span>
        <AlertIcon size={12} /> No webhook deliveries yet
      </span>
    );
  }
  return (
    <span className={classes.healthy}>
      <CheckIcon size={12} /> Last webhook delivery{' '}
      {now - (instantOf(webhook_last_delivery_at) ?? now) < MINUTE ? (
        'just now'
      ) : (
        <When at={webhook_last_delivery_at} as="ago" />
      )}
    </span>
  );
}
