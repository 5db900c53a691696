import { Button } from '@mantine/core';
import { TriangleDownIcon } from '@primer/octicons-react';
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import type { AiAuthorship } from '#contract/ai-authorship.ts';
import type { Explanation } from '#contract/explain.ts';
import { toolName } from '#domain/known-tools.ts';
import { api } from '../../api/client.ts';
import { part } from '../../api/part.ts';
import { keyOf, rowsOf } from '../../api/query.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { passFocus } from '../../kit/focus-back.ts';
import { FoldButton } from '../../kit/fold-button.tsx';
import { LazyPart } from '../../kit/lazy-part.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { useUser } from '../../session/session.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { formatCount } from '../../time/moment.ts';
import classes from './nobody-known-card.module.css';
import { PullRequestTitle } from './pull-request-title.tsx';
import { askCreditedToNobody, PAGE } from './questions.ts';
import { useAiSearch } from './use-ai-search.ts';

const StarterDialog = lazy(part(() => import('./starter-dialog.tsx')));

/** The rows that are shown at first. */
const AT_FIRST = 6;

type Item = Explanation['items'][number];

/** What was said here of a pull request. */
interface Said {
  readonly item: Item;
  readonly username: string;
  /** The list in which it was said. */
  readonly list: string;
}

/** Agents' pull requests of which nobody is known to have started them; whoever knows may say it. */
export function NobodyKnownCard({ credited }: { readonly credited: AiAuthorship['credited'] }) {
  const search = useAiSearch();
  const { github_username: me } = useUser();
  const queries = useQueryClient();
  const unknown = credited.of - credited.n;
  const list = JSON.stringify(askCreditedToNobody(search).queryKey);
  /** How many pages are shown; 0: the first rows alone. */
  const [pages, setPages] = useState(0);
  const wanted = Math.max(1, Math.min(pages, Math.ceil(unknown / PAGE)));
  const asked = useQueries({
    queries: Array.from({ length: wanted }, (_, page) => askCreditedToNobody(search, page)),
  });
  /** By the pull request: it stays in its list until one leaves. */
  const [said, setSaid] = useState<ReadonlyMap<string, Said>>(new Map());
  const say = useMutation({
    mutationFn: async ({ item, username }: { readonly item: Item; readonly username: string | null }) => {
      const params = { repoOwner: item.repo_owner, repoName: item.repo_name, prNumber: item.pr_number };
      if (username === null) await api.withdrawCredit({ params });
      else await api.correctCredit({ params, body: { username } });
    },
    onSuccess: async (_, { item, username }) => {
      const next = new Map(said);
      if (username !== null) setSaid(next.set(keyOfItem(item), { item, username, list }));
      await queries.invalidateQueries({ queryKey: keyOf('explainMetric') });
      if (username === null) {
        // Not before it is in the list again: its row stays.
        next.delete(keyOfItem(item));
        setSaid(next);
      }
      for (const name of ['listPullRequests', 'getAiAuthorship'] as const)
        await queries.invalidateQueries({ queryKey: keyOf(name) });
    },
  });
  const found = asked.flatMap(({ data }) => data?.items ?? []);
  const saidHere = [...said.values()].filter((one) => one.list === list);
  const all = [
    ...new Map([...found, ...saidHere.map(({ item }) => item)].map((item) => [keyOfItem(item), item])).values(),
  ];
  const [first] = asked;
  const items = first?.data === undefined ? undefined : rowsOf(first, all.toSorted(latestFirst));
  const shown = pages === 0 ? items?.slice(0, AT_FIRST) : items;
  const error = asked.find((answer) => answer.error !== null)?.error ?? null;
  const refetch = () => Promise.all(asked.map((answer) => answer.refetch()));
  const who = (item: Item) => (
    <Who
      item={item}
      username={saidHere.find((one) => keyOfItem(one.item) === keyOfItem(item))?.username}
      me={me}
      isBusy={say.isPending}
      onSay={(username) => say.mutate({ item, username })}
    />
  );
  const columns: readonly Column<Item>[] = [
    { id: 'title', title: 'Pull request', cell: (item) => <PullRequestTitle item={item} /> },
    { id: 'tool', title: 'Agent', width: '6.5rem', cell: ({ agents = [] }) => <Tools agents={agents} /> },
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
          {pages > 0 && unknown > pages * PAGE && (
            <FoldButton unfolded={false} onToggle={() => setPages(pages + 1)}>
              {`Show ${Math.min(PAGE, unknown - pages * PAGE)} more`}
            </FoldButton>
          )}
          {(items?.length ?? 0) > AT_FIRST && (
            <FoldButton unfolded={pages > 0} onToggle={(unfold) => setPages(unfold ? 1 : 0)}>
              {pages > 0 ? 'Show fewer' : unknown > PAGE ? `Show ${PAGE}` : 'Show all'}
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
        rowKey={keyOfItem}
        answer={{ data: shown, error, refetch }}
        failure="Failed to fetch its pull requests"
        empty={
          <EmptyState
            title={
              credited.of === 0
                ? 'No agent opened a pull request in this window.'
                : unknown === 0
                  ? 'Somebody is known to have started each.'
                  : 'The list is not up to date yet.'
            }
            goodNews={credited.of > 0 && unknown === 0}
          />
        }
        sort={null}
        expectedRows={4}
        phoneRow={(item) => (
          <span className={classes.phone}>
            <PullRequestTitle item={item} />
            <Tools agents={item.agents ?? []} />
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
        id={undoId(item)}
        ref={passFocus(questionId(item))}
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
        id={questionId(item)}
        ref={passFocus(undoId(item))}
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
        <LazyPart onFail={() => setOpened(false)}>
          <StarterDialog
            item={item}
            next={undoId(item)}
            onClose={() => setOpened(false)}
            onChoose={(login) => {
              setOpened(false);
              onSay(login);
            }}
          />
        </LazyPart>
      )}
    </span>
  );
}

function Tools({ agents }: { readonly agents: readonly string[] }) {
  return <span className={classes.tools}>{agents.map(toolName).join(', ')}</span>;
}

const keyOfItem = ({ repo_owner, repo_name, pr_number }: Item) => `${repo_owner}/${repo_name}/${pr_number}`;

const questionId = (item: Item) => `who-started-${keyOfItem(item)}`;

const undoId = (item: Item) => `undo-${questionId(item)}`;

function latestFirst(one: Item, other: Item): number {
  return Date.parse(other.at) - Date.parse(one.at);
}
