import { Button } from '@mantine/core';
import { TriangleDownIcon } from '@primer/octicons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { AiAuthorship } from '#contract/ai-authorship.ts';
import type { PullRequestListItem } from '#contract/pull-requests.ts';
import { periodDays } from '#domain/period.ts';
import { api } from '../../api/client.ts';
import { part } from '../../api/part.ts';
import { keyOf } from '../../api/query.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { FoldButton } from '../../kit/fold-button.tsx';
import { PullRequestIcon } from '../../kit/pull-request-state.tsx';
import { toolName } from '../../people/agents.ts';
import { shownLogin } from '../../people/person-name.tsx';
import { useUser } from '../../session/session.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { rowLink } from '../../table/row-link.ts';
import { dayOf, formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './nobody-known-card.module.css';
import row from './pull-request-row.module.css';
import { askAuthorship, askCreditedToNobody } from './questions.ts';
import type { AiSearch } from './search.ts';
import { useAiSearch } from './use-ai-search.ts';

const StarterDialog = lazy(part(() => import('./starter-dialog.tsx')));

/** The rows that are shown at first. */
const AT_FIRST = 6;
const DAY = 24 * 3_600_000;

type Item = PullRequestListItem;

/** Agents' pull requests of which nobody is known to have started them; whoever knows may say it. */
export function NobodyKnownCard({ credited }: { readonly credited: AiAuthorship['credited'] }) {
  const search = useAiSearch();
  const now = useNow();
  const { time_zone, github_username: me } = useUser();
  const queries = useQueryClient();
  const asked = useQuery(askCreditedToNobody(search));
  const [unfolded, setUnfolded] = useState(false);
  /** What was said here, by the pull request's id: it stays in the list until one leaves. */
  const [said, setSaid] = useState<ReadonlyMap<string, { readonly item: Item; readonly username: string }>>(new Map());
  const say = useMutation({
    mutationFn: async ({ item, username }: { readonly item: Item; readonly username: string | null }) => {
      const params = { repoOwner: item.repo_owner, repoName: item.repo_name, prNumber: item.pr_number };
      if (username === null) await api.withdrawCredit({ params });
      else await api.correctCredit({ params, body: { username } });
    },
    onSuccess: async (_, { item, username }) => {
      const next = new Map(said);
      if (username === null) next.delete(item.github_id);
      else next.set(item.github_id, { item, username });
      setSaid(next);
      await queries.invalidateQueries({ queryKey: keyOf('listPullRequests') });
      await queries.invalidateQueries({ queryKey: askAuthorship(search).queryKey.slice(0, 1) });
    },
  });
  const isIn = isInWindow(search, now, time_zone);
  const unsaid = asked.data?.prs.filter(({ github_id }) => !said.has(github_id));
  const items = unsaid && [...unsaid, ...[...said.values()].map(({ item }) => item)].filter(isIn).toSorted(latestFirst);
  const wanted = unfolded ? items : items?.slice(0, AT_FIRST);
  const unknown = credited.of - credited.n;
  const who = (item: Item) => (
    <Who
      item={item}
      username={said.get(item.github_id)?.username}
      me={me}
      isBusy={say.isPending}
      onSay={(username) => say.mutate({ item, username })}
    />
  );
  const columns: readonly Column<Item>[] = [
    { id: 'title', title: 'Pull request', cell: (item) => <Title item={item} /> },
    { id: 'tool', title: 'Agent', width: '6.5rem', cell: ({ agents }) => <Tools agents={agents} /> },
    {
      id: 'who',
      title: 'Who started it',
      hiddenTitle: true,
      width: '12rem',
      end: true,
      screenOnly: true,
      cell: (item) => who(item),
    },
  ];
  return (
    <Card
      title="Nobody known"
      caption={`${formatCount(unknown)} of ${formatCount(credited.of)}`}
      foot={
        <>
          <span>What you choose outlives every sync, and says who chose it.</span>
          {(items?.length ?? 0) > AT_FIRST && (
            <FoldButton unfolded={unfolded} onToggle={setUnfolded}>
              {unfolded ? 'Show fewer' : 'Show all'}
            </FoldButton>
          )}
        </>
      }
      flush
    >
      {say.error !== null && <Banner meaning="bad">{causeOf(say.error)}</Banner>}
      <DataTable
        label="Agents’ pull requests of which nobody is known to have started them"
        columns={columns}
        rowKey={({ github_id }) => github_id}
        answer={{ data: wanted, error: asked.error, refetch: () => asked.refetch() }}
        failure="Failed to fetch its pull requests"
        empty={
          <EmptyState
            title={
              credited.of === 0
                ? 'No agent opened a pull request in this window.'
                : 'Somebody is known to have started each.'
            }
            goodNews={credited.of > 0}
          />
        }
        sort={null}
        expectedRows={4}
        phoneRow={(item) => (
          <span className={classes.phone}>
            <Title item={item} />
            <Tools agents={item.agents} />
            {who(item)}
          </span>
        )}
      />
    </Card>
  );
}

interface WhoProps {
  readonly item: Item;
  /** Who was named here just now. */
  readonly username: string | undefined;
  readonly me: string;
  readonly isBusy: boolean;
  /** Null takes back what was said. */
  readonly onSay: (login: string | null) => void;
}

/** Who started it, as was said just now with the way back, or the question. */
function Who({ item, username, me, isBusy, onSay }: WhoProps) {
  if (username === undefined) return <Starter item={item} isBusy={isBusy} onSay={onSay} />;
  return (
    <span className={classes.said}>
      <span role="status">{`${shownLogin(username)}, said by ${me}`}</span>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`Undo: ${shownLogin(username)} for ${item.title}`}
        onClick={() => isBusy || onSay(null)}
      >
        Undo
      </Button>
    </span>
  );
}

interface StarterProps {
  readonly item: Item;
  readonly isBusy: boolean;
  readonly onSay: (login: string) => void;
}

function Starter({ item, isBusy, onSay }: StarterProps) {
  const [opened, setOpened] = useState(false);
  return (
    <span className={classes.starter}>
      <Button
        variant="default"
        size="compact-md"
        rightSection={<TriangleDownIcon size={16} />}
        aria-label={`Who started it? ${item.title}`}
        aria-haspopup="dialog"
        aria-expanded={opened}
        aria-disabled={isBusy}
        onClick={() => isBusy || setOpened(true)}
      >
        Who started it?
      </Button>
      {opened && (
        <Suspense>
          <StarterDialog
            item={item}
            onClose={() => setOpened(false)}
            onChoose={(login) => {
              setOpened(false);
              onSay(login);
            }}
          />
        </Suspense>
      )}
    </span>
  );
}

function Tools({ agents }: { readonly agents: readonly string[] }) {
  return <span className={classes.tools}>{agents.map(toolName).join(', ')}</span>;
}

function Title({ item }: { readonly item: Item }) {
  return (
    <span className={row.title}>
      <PullRequestIcon state={item.state} draft={item.draft} labelled />
      <Link
        to="/pr/$repoOwner/$repoName/$prNumber"
        params={{ repoOwner: item.repo_owner, repoName: item.repo_name, prNumber: String(item.pr_number) }}
        data-tip={item.title}
        {...rowLink}
      >
        {item.title}
      </Link>
      <span className={row.place}>{`${item.repo_name} #${item.pr_number}`}</span>
    </span>
  );
}

function latestFirst(one: Item, other: Item): number {
  return Date.parse(other.created_at) - Date.parse(one.created_at);
}

/** Whether a pull request was opened in the window that the page is over. */
function isInWindow({ period, from, to }: AiSearch, now: number, zone: string): (item: Item) => boolean {
  if (from === undefined || to === undefined) {
    const begin = now - periodDays(period ?? '30d') * DAY;
    return ({ created_at }) => Date.parse(created_at) > begin;
  }
  return ({ created_at }) => {
    const day = dayOf(Date.parse(created_at), zone);
    return day >= from && day < to;
  };
}
