import { useQuery } from '@tanstack/react-query';
import { Card, Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorState, OldAnswerNote } from '../../kit/error-state.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import classes from './ai.module.css';
import { chosenReviewer } from './chosen-reviewer.ts';
import { reviewersCsv } from './csv.ts';
import { FatesCard } from './fates-card.tsx';
import { useSince } from './labels.tsx';
import { PeoplesTimeCard } from './peoples-time-card.tsx';
import { askReviewers } from './questions.ts';
import cards from './reviewer-card.module.css';
import { ReviewerCard } from './reviewer-card.tsx';
import { SaidCard } from './said-card.tsx';
import { useAiSearch } from './use-ai-search.ts';
import { FAILED, NO_REVIEWER } from './words.ts';

/** What each AI reviewer gives, with people beside it. */
export function ReviewersTab() {
  const search = useAiSearch();
  const answer = useQuery(askReviewers(search));
  const { data, error, refetch, isPlaceholderData } = answer;
  const since = useSince();
  const nothing = { why: 'A check is no review: it takes a review, a comment in the code, or a reviewer’s summary.' };
  if (data === undefined && error !== null)
    return (
      <div className={classes.stack}>
        <Panel label="AI reviewers">
          <ErrorState title={FAILED} error={error} onRetry={() => void refetch()} />
        </Panel>
      </div>
    );
  const old = <OldAnswerNote title={FAILED} answer={answer} />;
  if (data?.length === 0)
    return (
      <div className={classes.stack} data-outdated={isPlaceholderData || undefined}>
        {old}
        <Panel label="AI reviewers">
          <EmptyState title={NO_REVIEWER} {...nothing} />
        </Panel>
      </div>
    );
  const chosen = data && chosenReviewer(data, search.reviewer);
  return (
    <div className={classes.stack} aria-busy={data === undefined} data-outdated={isPlaceholderData || undefined}>
      {old}
      <div className={cards.cards}>
        {data === undefined || chosen === undefined
          ? [0, 1, 2].map((at) => <Outline key={at} />)
          : data.map((one) => <ReviewerCard key={one.reviewer} reviewer={one} since={since} />)}
      </div>
      {data === undefined || chosen === undefined ? (
        <Card title="What became of the findings">
          <Outlined lines={4} />
        </Card>
      ) : (
        <>
          <FatesCard reviewers={data} since={since} />
          <div className={classes.pair}>
            <PeoplesTimeCard reviewers={data} chosen={chosen} since={since} />
            <SaidCard key={chosen.reviewer} reviewer={chosen} />
          </div>
          <div className={cards.csv}>
            <CsvButton name="ai-reviewers" columns={reviewersCsv} rows={isPlaceholderData ? undefined : data} />
          </div>
        </>
      )}
    </div>
  );
}

function Outline() {
  return (
    <Panel label="AI reviewer">
      <Outlined lines={10} />
    </Panel>
  );
}

function Outlined({ lines }: { readonly lines: number }) {
  return (
    <Late>
      <div className={cards.pending}>
        {Array.from({ length: lines }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike
          <Line key={at} width={at % 2 === 0 ? '80%' : '55%'} />
        ))}
      </div>
    </Late>
  );
}
