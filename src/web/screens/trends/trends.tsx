import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, useState } from 'react';
import type { TrendFigureDescription } from '#contract/trends.ts';
import { part } from '../../api/part.ts';
import { Card, Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorState, OldAnswerNote } from '../../kit/error-state.tsx';
import { LazyPart } from '../../kit/lazy-part.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { usePhone } from '../../kit/use-phone.ts';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { useUser } from '../../session/session.tsx';
import { ConnectFirst } from '../../sync/connect-first.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import { Controls } from './controls.tsx';
import { csvColumns, csvRows } from './csv.ts';
import { HappeningList } from './happening-marks.tsx';
import { happeningsOf } from './happenings.ts';
import { MonthsProposal } from './months-proposal.tsx';
import { Multiples, type NamedTrend } from './multiples.tsx';
import { EveryNumber, LastFull } from './numbers.tsx';
import { askFigures, type ShownTrends, useTrends } from './questions.ts';
import { aggregateOf } from './search.ts';
import { ShownContext, useShown } from './shown.ts';
import chart from './trend-chart.module.css';
import { TrendChart } from './trend-chart.tsx';
import classes from './trends.module.css';
import { useTrendsSearch } from './use-trends-search.ts';
import { named, nothingWords, subtitleOf } from './words.ts';

const Notes = lazy(part(() => import('../../notes/notes.tsx')));

/** Figures over time, told apart by one dimension (docs/product.md#trends). */
export function TrendsScreen() {
  const search = useTrendsSearch();
  const figures = useQuery(askFigures()).data;
  const answer = useTrends(search);
  const { search: shown, isOutdated } = answer;
  const phone = usePhone();
  const [adding, setAdding] = useState(false);
  const describe = (figure: string) => figures?.find(({ key }) => key === figure);
  const trends = answer.trends?.map((trend) => ({
    trend: named(trend, shown.split),
    name: describe(trend.figure)?.name ?? trend.figure,
  }));
  const [first] = search.figures as [(typeof search.figures)[number]];
  const name = describe(first)?.name ?? 'A figure over time';
  const controls = <Controls figures={figures} />;
  const isOne = shown.figures.length === 1;
  const body = (
    <Body
      answer={answer}
      trends={trends}
      figure={describe(trends?.[0]?.trend.figure ?? first)}
      isOne={isOne}
      onAddNote={() => setAdding(true)}
    />
  );
  return (
    <ShownContext value={answer}>
      <Page
        title={headings.trends}
        subtitle={subtitleOf(search, name, aggregateOf(first, search))}
        actions={
          trends && (
            <CsvButton name="trends" columns={csvColumns(trends)} rows={isOutdated ? undefined : csvRows(trends)} />
          )
        }
      >
        <SyncMessages />
        <ImportNotice />
        <OldAnswerNote
          title="Failed to fetch trends"
          answer={{ data: trends, error: answer.error, refetch: answer.retry }}
        />
        {phone ? (
          <>
            {controls}
            {isOne ? (
              <Panel label="Trend" outdated={isOutdated}>
                {body}
              </Panel>
            ) : (
              body
            )}
          </>
        ) : (
          <>
            <div {...(!isOne && { 'data-screen-only': true })}>
              <Panel label={isOne ? 'Trend' : 'What is shown'}>
                {controls}
                {isOne && (
                  <div className={classes.hairline} data-outdated={isOutdated || undefined}>
                    {body}
                  </div>
                )}
              </Panel>
            </div>
            {!isOne && body}
          </>
        )}
        {isOne && trends !== undefined && !areEmpty(trends) && <Proof trend={trends[0]!} />}
        {(trends !== undefined || adding) && (
          <LazyPart>
            <Notes from={trends?.[0]?.trend.buckets[0]} to={shown.dates?.to} adding={adding} onAdding={setAdding} />
          </LazyPart>
        )}
      </Page>
    </ShownContext>
  );
}

interface BodyProps {
  readonly answer: ShownTrends;
  readonly trends: readonly NamedTrend[] | undefined;
  readonly figure: TrendFigureDescription | undefined;
  readonly isOne: boolean;
  readonly onAddNote: () => void;
}

/** The drawing, or what stands in for it. */
function Body({ answer, trends, figure, isOne, onAddNote }: BodyProps) {
  const { search, isOutdated } = answer;
  if (trends === undefined && answer.error !== null)
    return (
      <State isOne={isOne}>
        <ErrorState title="Failed to fetch trends" error={answer.error} onRetry={answer.retry} />
      </State>
    );
  // That there was nothing says nothing of the question under way.
  if (trends === undefined || (isOutdated && areEmpty(trends))) return <Skeleton />;
  if (areEmpty(trends)) {
    const title = nothingWords(figure, trends[0]!.trend.lines, search);
    return (
      <State isOne={isOne}>
        <ConnectFirst title={title}>
          <EmptyState title={title} why="Choose a longer time, or take a filter away." />
        </ConnectFirst>
      </State>
    );
  }
  const proposal = <MonthsProposal trends={trends.map(({ trend }) => trend)} />;
  if (trends.length > 1) return <Multiples trends={trends} proposal={proposal} />;
  return (
    <>
      {proposal}
      <TrendChart trend={trends[0]!.trend} figure={figure} onAddNote={onAddNote} />
    </>
  );
}

/** In the room of the drawing; in a panel where the drawings have none. */
function State({ isOne, children }: { readonly isOne: boolean; readonly children: ReactNode }) {
  const state = <div className={chart.state}>{children}</div>;
  return isOne ? state : <Panel label="Trends">{state}</Panel>;
}

/** Grid and axis, and a line still to come. */
function Skeleton() {
  return (
    <Late>
      <div className={chart.skeleton}>
        {[20, 36, 52, 68, 84].map((top) => (
          <span key={top} style={{ top: `${top}%` }} />
        ))}
        <div>
          <Line width="100%" />
        </div>
      </div>
    </Late>
  );
}

const areEmpty = (trends: readonly NamedTrend[]) =>
  trends.every(({ trend }) => trend.lines.every(({ points }) => points.every(({ n }) => n === 0)));

/** Below the drawing: the last full point and every number; on a phone what happened. */
function Proof({ trend }: { readonly trend: NamedTrend }) {
  const phone = usePhone();
  const { isOutdated } = useShown();
  const { time_zone } = useUser();
  const happenings = happeningsOf(trend.trend, time_zone);
  if (!phone)
    return (
      <>
        <LastFull trends={[trend]} />
        <EveryNumber trend={trend.trend} />
      </>
    );
  return happenings.length === 0 ? null : (
    <Card title="What happened" outdated={isOutdated} flush>
      <HappeningList happenings={happenings} />
    </Card>
  );
}
