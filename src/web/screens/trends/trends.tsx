import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Trend, TrendFigureDescription } from '#contract/trends.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { percentWords } from '#domain/percent.ts';
import { readingOf } from '#domain/trends.ts';
import { part } from '../../api/part.ts';
import { TimeLines, toneOf } from '../../charts/time-lines.tsx';
import { Choice } from '../../filters/choice.tsx';
import { RepositoryFilter } from '../../filters/filter-box.tsx';
import { Filters } from '../../filters/filter-button.tsx';
import { useSetFilters } from '../../filters/set-filters.ts';
import { Card, Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorState } from '../../kit/error-state.tsx';
import { useIsPrinting } from '../../kit/is-printing.ts';
import { Late, Line } from '../../kit/skeleton.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { toolName } from '../../people/agents.ts';
import { useUser } from '../../session/session.tsx';
import { ConnectFirst } from '../../sync/connect-first.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import { formatCount, formatDay, formatMean } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { askFigures, askTrend } from './questions.ts';
import { authorships, buckets, readTrendsSearch, spans, type TrendsSearch } from './search.ts';
import classes from './trends.module.css';

const Notes = lazy(part(() => import('../../notes/notes.tsx')));

/** A value over fewer things is drawn hollow. */
const ENOUGH = 5;
/** So many rows of numbers are shown at first. */
const AT_FIRST = 8;

const splitWords = {
  repository: 'By repository',
  authorship: 'By authorship',
  tool: 'By AI tool',
  size: 'By size',
  base: 'By base branch',
} as const;
const aggregateWords = { value: 'Mean', mean: 'Mean', p50: 'Median', p75: '75th percentile', p90: '90th percentile' };
const spanWords = { 12: '12 weeks', 26: '26 weeks', 52: 'One year', 104: 'Two years' } as const;
const bucketWords = { day: 'By day', week: 'By week', month: 'By month' } as const;
const authorshipWords = {
  human: 'By people',
  assisted: 'With an AI tool',
  agent: 'By agents',
  bot: 'By bots',
  ghost: 'By deleted accounts',
} as const;

/** Figures over time, told apart by one dimension (docs/product.md#trends). */
export function TrendsScreen() {
  const search = readTrendsSearch(useSearch({ strict: false }));
  const now = useNow();
  const { time_zone } = useUser();
  const figures = useQuery(askFigures());
  const answer = useQuery(askTrend(search, now, time_zone));
  const answered = answer.data?.items[0];
  const trend = answered && named(answered, search.split);
  const described = figures.data?.find(({ key }) => key === search.figure);
  const isEmpty = trend?.lines.every(({ points }) => points.every(({ n }) => n === 0));
  return (
    <Page
      title={headings.trends}
      subtitle={`${described?.name ?? 'A figure'} over time, ${spanWords[search.weeks as keyof typeof spanWords].toLowerCase()}`}
      actions={trend && <CsvButton name="trends" columns={csvOf(trend)} rows={rowsOf(trend)} />}
    >
      <SyncMessages />
      <ImportNotice />
      <Panel label="What is shown">
        <Controls figures={figures.data} />
      </Panel>
      {answer.data === undefined && answer.error !== null ? (
        <Panel label="Trend">
          <ErrorState title="Failed to fetch trends" error={answer.error} onRetry={() => void answer.refetch()} />
        </Panel>
      ) : trend === undefined ? (
        <Panel label="Trend">
          <Late>
            <div className={classes.pending}>
              <Line width="100%" />
            </div>
          </Late>
        </Panel>
      ) : isEmpty ? (
        <Panel label="Trend">
          <ConnectFirst title="Nothing to show">
            <EmptyState
              title="Nothing to show"
              why={`Nothing was ${described?.moment ?? 'counted'} in this window with what is chosen above.`}
            />
          </ConnectFirst>
        </Panel>
      ) : (
        <Shown trend={trend} name={described?.name ?? ''} isFaded={answer.isPlaceholderData} />
      )}
      {trend && (
        <Suspense>
          <Notes from={trend.buckets[0]} />
        </Suspense>
      )}
    </Page>
  );
}

function Controls({ figures }: { readonly figures: readonly TrendFigureDescription[] | undefined }) {
  const search = readTrendsSearch(useSearch({ strict: false }));
  const [, setFigure] = useUrlFilter('figure');
  const [split, setSplit] = useUrlFilter('split');
  const [aggregate, setAggregate] = useUrlFilter('aggregate');
  const [bucket, setBucket] = useUrlFilter('bucket');
  const [weeks, setWeeks] = useUrlFilter('weeks');
  const [authorship, setAuthorship] = useUrlFilter('authorship');
  const [active, clear] = useSetFilters(['split', 'aggregate', 'bucket', 'weeks', 'repository', 'authorship']);
  const known = (text: string | undefined, words: object) =>
    text !== undefined && Object.hasOwn(words, text) ? text : undefined;
  const others = (figures ?? []).filter(({ key }) => key !== 'time_to_first_review');
  return (
    <div className={classes.controls}>
      <Choice
        label="Figure"
        value={search.figure === 'time_to_first_review' ? undefined : search.figure}
        options={others.map(({ key }) => key)}
        word={(key) => figures?.find((figure) => figure.key === key)?.name ?? key}
        neutral="Time to first review"
        onChange={setFigure}
      />
      <Filters active={active} onClear={clear}>
        <Choice
          label="Told apart"
          value={known(split, splitWords) as keyof typeof splitWords | undefined}
          options={Object.keys(splitWords) as (keyof typeof splitWords)[]}
          word={(key) => splitWords[key]}
          neutral="In one line"
          onChange={setSplit}
        />
        {search.isMeasured && (
          <Choice
            label="What of the values"
            value={aggregate === 'mean' || aggregate === 'p75' || aggregate === 'p90' ? aggregate : undefined}
            options={['mean', 'p75', 'p90'] as const}
            word={(key) => aggregateWords[key]}
            neutral={aggregateWords.p50}
            onChange={setAggregate}
          />
        )}
        <Choice
          label="Points"
          value={bucket === 'day' || bucket === 'month' ? bucket : undefined}
          options={buckets.filter((key) => key !== 'week')}
          word={(key) => bucketWords[key]}
          neutral={bucketWords.week}
          onChange={setBucket}
        />
        <Choice
          label="Time"
          value={known(weeks, spanWords) === '26' ? undefined : (known(weeks, spanWords) as (typeof spans)[number])}
          options={spans.filter((key) => key !== '26')}
          word={(key) => spanWords[Number(key) as keyof typeof spanWords]}
          neutral={spanWords[26]}
          onChange={setWeeks}
        />
        <RepositoryFilter />
        <Choice
          label="Authorship"
          value={known(authorship, authorshipWords) as keyof typeof authorshipWords | undefined}
          options={authorships}
          word={(key) => authorshipWords[key]}
          neutral="By anyone"
          onChange={setAuthorship}
        />
      </Filters>
    </div>
  );
}

interface ShownProps {
  readonly trend: Trend;
  readonly name: string;
  /** Another question is under way. */
  readonly isFaded: boolean;
}

function Shown({ trend, name, isFaded }: ShownProps) {
  const now = useNow();
  const { time_zone } = useUser();
  const format = (value: number) => textOf(trend, value);
  const days = trend.buckets.map((date) => dayWords(date, now));
  const last = trend.complete.lastIndexOf(true);
  const single = trend.lines.length === 1 ? trend.lines[0]! : null;
  const of = trend.aggregate === 'value' ? '' : `, ${aggregateWords[trend.aggregate].toLowerCase()}`;
  return (
    <div className={`${classes.shown} ${isFaded ? classes.faded : ''}`}>
      <Card title={`${name}${of}`} caption={`from ${days[0]}`} flush>
        <TimeLines
          labels={days}
          per={perOf(trend)}
          complete={trend.complete}
          band={single?.usual ?? null}
          enough={trend.unit === 'count' && trend.aggregate === 'value' ? 0 : ENOUGH}
          format={format}
          lines={trend.lines.map(({ key, name: line, points }) => ({
            key,
            name: line,
            values: points.map(({ value }) => value),
            counts: points.map(({ n }) => n),
          }))}
        />
        <p className={classes.foot}>
          Hollow: over fewer than {ENOUGH}. Dashed: not over yet, or cut by the window. A gap: nothing to measure.
          {single?.usual != null && ' The band: the usual range of the 26 before.'}
        </p>
        {trend.events.length > 0 && (
          <ul className={classes.events} aria-label="What happened meanwhile">
            {eventsByDay(trend, now, time_zone).map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="The last full one" caption={last < 0 ? 'none is over yet' : `from ${days[last]}`} flush>
        <Scrolled label="The last full one, line by line">
          <table className={classes.table}>
            <thead>
              <tr>
                {['Line', 'Value', 'n', 'Change', 'Usual range', 'Reading'].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {trend.lines.map(({ key, name: line, points, change, usual }, at) => {
                const point = points[last] ?? null;
                return (
                  <tr key={key}>
                    <th scope="row">
                      <span className={`${classes.swatch} ${classes[toneOf(at)]}`} />
                      {line}
                    </th>
                    <td>{point?.value == null ? NOT_AVAILABLE : format(point.value)}</td>
                    <td>{formatCount(point?.n ?? 0)}</td>
                    <td>{changeText(trend, change)}</td>
                    <td>{usual === null ? NOT_AVAILABLE : `${format(usual.from)} to ${format(usual.to)}`}</td>
                    <td>{readingOf(point?.value ?? null, usual)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scrolled>
      </Card>
      <EveryNumber trend={trend} />
    </div>
  );
}

function EveryNumber({ trend }: { readonly trend: Trend }) {
  const now = useNow();
  const [unfolded, setUnfolded] = useState(false);
  const isPrinting = useIsPrinting();
  const newestFirst = trend.buckets.map((_, at) => at).reverse();
  const shown = unfolded || isPrinting ? newestFirst : newestFirst.slice(0, AT_FIRST);
  return (
    <Card
      title="Every number"
      caption="value and how many it is over, newest first"
      foot={
        newestFirst.length > AT_FIRST && (
          <button type="button" className={classes.fold} onClick={() => setUnfolded(!unfolded)}>
            {unfolded ? `Show the newest ${AT_FIRST}` : `Show all ${formatCount(newestFirst.length)}`}
          </button>
        )
      }
      flush
    >
      <Scrolled label="Every number, point by point">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">From</th>
              {trend.lines.map(({ key, name }) => (
                <th key={key} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((at) => (
              <tr key={trend.buckets[at]}>
                <th scope="row">
                  {dayWords(trend.buckets[at]!, now)}
                  {!trend.complete[at] && <span className={classes.quiet}> not complete</span>}
                </th>
                {trend.lines.map(({ key, points }) => {
                  const { value, n } = points[at]!;
                  return (
                    <td key={key}>
                      {value === null ? NOT_AVAILABLE : textOf(trend, value)}
                      <span className={classes.quiet}> n {formatCount(n)}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </Card>
  );
}

/** Scrolls sideways where there is no room, by keyboard, too. */
function Scrolled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** A day as words: "8 Jun", with its year where that is not this one. */
function dayWords(date: string, now: number): string {
  const [, ...words] = formatDay(Date.parse(`${date}T12:00:00Z`), now, 'UTC').split(' ');
  return words.join(' ');
}

/** What the scale counts in: days, hours or minutes, tenths of a share, or one. */
function perOf({ unit, lines }: Trend): number {
  const highest = Math.max(0, ...lines.flatMap(({ points }) => points.map(({ value }) => value ?? 0)));
  if (unit === 'share') return 0.1;
  if (unit !== 'hours' || (highest >= 1 && highest < 48)) return 1;
  return highest < 1 ? 1 / 60 : 24;
}

/** Each day's events in one line; several repositories that were connected are counted. */
function eventsByDay({ events }: Trend, now: number, timeZone: string): string[] {
  const byDay = Map.groupBy(events, ({ at }) => formatDay(Date.parse(at), now, timeZone));
  return [...byDay].map(([day, of]) => {
    const connected = of.filter(({ kind }) => kind === 'repository_connected');
    const others = of.filter(({ kind }) => kind !== 'repository_connected');
    const first =
      connected.length > 1
        ? [`${formatCount(connected.length)} repositories connected`]
        : connected.map(({ text }) => text);
    return `${day}: ${[...first, ...others.map(({ text }) => text)].join('; ')}`;
  });
}

function textOf({ figure, unit, aggregate }: Trend, value: number): string {
  if (unit === 'hours') return formatDuration(value);
  if (unit === 'share') return `${percentWords(value)} %`;
  return figure === 'rounds' || unit === 'lines' || aggregate !== 'value' ? formatMean(value) : formatCount(value);
}

function changeText({ unit }: Trend, change: number | null): string {
  if (change === null) return NOT_AVAILABLE;
  const rounded = Math.round(unit === 'share' ? 100 * change : change);
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '±';
  return `${sign}${formatCount(Math.abs(rounded))} ${unit === 'share' ? 'points' : '%'}`;
}

/** Lines by authorship and by tool have the product's words. */
function named(trend: Trend, split: TrendsSearch['split']): Trend {
  const word = (key: string, name: string) => {
    if (split === 'authorship') return authorshipWords[key as keyof typeof authorshipWords] ?? name;
    return split === 'tool' && key === name ? toolName(key) : name;
  };
  return { ...trend, lines: trend.lines.map((line) => ({ ...line, name: word(line.key, line.name) })) };
}

interface TrendRow {
  readonly bucket: string;
  readonly complete: boolean;
  readonly points: Trend['lines'][number]['points'];
}

function rowsOf({ buckets: dates, complete, lines }: Trend): TrendRow[] {
  return dates.map((bucket, at) => ({
    bucket,
    complete: complete[at]!,
    points: lines.map(({ points }) => points[at]!),
  }));
}

function csvOf({ lines }: Trend) {
  return [
    { name: 'from', value: ({ bucket }: TrendRow) => bucket },
    { name: 'complete', value: ({ complete }: TrendRow) => complete },
    ...lines.flatMap(({ name }, at) => [
      { name, value: ({ points }: TrendRow) => points[at]!.value },
      { name: `${name}, n`, value: ({ points }: TrendRow) => points[at]!.n },
    ]),
  ];
}
