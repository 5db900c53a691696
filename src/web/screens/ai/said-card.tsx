import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AiReviewer } from '#contract/ai-reviewers.ts';
import type { Explanation } from '#contract/explain.ts';
import { TALKATIVE_ABOVE } from '#domain/ai-reviewers.ts';
import { counted } from '#domain/counted.ts';
import { Card } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FoldButton } from '../../kit/fold-button.tsx';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { formatCount } from '../../time/moment.ts';
import { useChangeSearch } from '../../url/url-state.ts';
import classes from './pull-request-row.module.css';
import { PullRequestTitle } from './pull-request-title.tsx';
import { askSaid, saidBy } from './questions.ts';
import { useAiSearch } from './use-ai-search.ts';
import { countOf, reviewerName } from './words.ts';

type Item = Explanation['items'][number];

/** How many are shown at first, and at most. */
const AT_FIRST = 6;
const AT_MOST = 100;

const words = {
  talkative: { what: 'with more than ten findings', nothing: 'It had more than ten findings nowhere.' },
  silent: { what: 'without a finding', nothing: 'It had a finding wherever it looked.' },
} as const;

/** Of what is answered only what the list says, whatever was imported since its number was told. */
const isOf = {
  talkative: ({ value }: Item) => (value ?? 0) > TALKATIVE_ABOVE,
  silent: ({ value }: Item) => value === 1,
} as const;

/** The pull requests on which a reviewer had the most to say, and those on which it had nothing. */
export function SaidCard({ reviewer }: { readonly reviewer: AiReviewer }) {
  const search = useAiSearch();
  const change = useChangeSearch();
  const [unfolded, setUnfolded] = useState(false);
  const counts = { talkative: countOf(reviewer.talkative), silent: countOf(reviewer.silent) };
  const said = search.said ?? (counts.talkative === 0 && counts.silent > 0 ? 'silent' : 'talkative');
  const total = counts[said];
  const wanted = Math.min(total, unfolded ? AT_MOST : AT_FIRST);
  const asked = useQuery({
    ...askSaid(search, reviewer.reviewer, said, Math.max(1, wanted)),
    enabled: total > 0,
  });
  // What the other choice lists does not stand in for this one.
  const told = asked.data?.metric === saidBy[said] ? asked.data : undefined;
  const items = total === 0 ? [] : told?.items.filter(isOf[said]).slice(0, wanted);
  const findingsOf = ({ value }: Item) => (said === 'silent' ? 0 : (value ?? 0));
  const { what, nothing } = words[said];
  const columns: readonly Column<Item>[] = [
    { id: 'title', title: 'Pull request', cell: (item) => <PullRequestTitle item={item} /> },
    { id: 'findings', title: 'Findings', width: '6.5rem', end: true, cell: (item) => formatCount(findingsOf(item)) },
  ];
  return (
    <Card
      title="Where it said much, and nothing"
      caption={reviewerName(reviewer)}
      controls={
        <SegmentedFilter
          label="How much it said"
          options={[
            { value: 'talkative', label: 'Talkative', count: counts.talkative },
            { value: 'silent', label: 'Silent', count: counts.silent },
          ]}
          value={said}
          onChange={(next) => change({ said: next })}
        />
      }
      foot={
        <>
          <span>{`${formatCount(wanted)} of ${counted(total, 'pull request')} ${what}`}</span>
          {total > AT_FIRST && (
            <FoldButton unfolded={unfolded} onToggle={setUnfolded}>
              {unfolded ? 'Show fewer' : total > AT_MOST ? `Show ${AT_MOST}` : 'Show all'}
            </FoldButton>
          )}
        </>
      }
      outdated={asked.isPlaceholderData && told !== undefined}
      flush
    >
      <DataTable
        label={`Pull requests ${what}`}
        columns={columns}
        rowKey={({ repo_owner, repo_name, pr_number }) => `${repo_owner}/${repo_name}/${pr_number}`}
        answer={{
          data: items,
          error: asked.error,
          refetch: () => asked.refetch(),
          isPlaceholderData: total > 0 && asked.isPlaceholderData,
        }}
        failure="Failed to fetch its pull requests"
        empty={<EmptyState title={nothing} />}
        sort={null}
        expectedRows={AT_FIRST}
        phoneRow={(item) => (
          <span className={classes.phone}>
            <PullRequestTitle item={item} />
            <span>{formatCount(findingsOf(item))}</span>
          </span>
        )}
      />
    </Card>
  );
}
