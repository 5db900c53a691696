import { CalendarIcon, TriangleDownIcon } from '@primer/octicons-react';
import { lazy } from 'react';
import { part } from '../../api/part.ts';
import { daysLater } from '../../filters/choice-of-figures.ts';
import { LazyPart } from '../../kit/lazy-part.tsx';
import { useUser } from '../../session/session.tsx';
import { dayOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useChangeSearch } from '../../url/url-state.ts';
import { ButtonPopover } from './button-popover.tsx';
import classes from './controls.module.css';
import { datesOf } from './questions.ts';
import { spans, type TrendSpan } from './search.ts';
import { useTrendsSearch } from './use-trends-search.ts';
import { dayWords, spanWords } from './words.ts';

const WindowDates = lazy(part(() => import('../../filters/window-dates.tsx')));

const OWN: TrendSpan = '26';

/** Over which time: so many weeks up to now, or any days. */
export function PeriodChoice() {
  const { dates, weeks } = useTrendsSearch();
  const words = usePeriodWords();
  return (
    <ButtonPopover
      label="Time"
      words={words}
      icon={<CalendarIcon size={14} />}
      mark={<TriangleDownIcon size={16} />}
      isChosen={dates !== null || String(weeks) !== OWN}
      width={328}
      position="bottom-end"
    >
      {(close) => <PeriodFields onChosen={close} />}
    </ButtonPopover>
  );
}

/** "26 weeks, 25 May to today", "1 Mar to 31 May". */
function usePeriodWords(): string {
  const search = useTrendsSearch();
  const now = useNow();
  const { time_zone } = useUser();
  const today = dayOf(now, time_zone);
  const { from, to } = datesOf(search, today);
  const last = to === undefined || to > today ? 'today' : dayWords(daysLater(to, -1), today);
  const days = `${dayWords(from, today)} to ${last}`;
  return search.dates === null ? `${spanWords[search.weeks as keyof typeof spanWords]}, ${days}` : days;
}

/** The choices themselves. */
export function PeriodFields({ onChosen }: { readonly onChosen: () => void }) {
  const { dates, weeks } = useTrendsSearch();
  const change = useChangeSearch();
  return (
    <div className={classes.period}>
      <div className={classes.spans}>
        {spans.map((span) => (
          <button
            key={span}
            type="button"
            aria-pressed={dates === null && String(weeks) === span}
            onClick={() => {
              change({ weeks: span === OWN ? undefined : span, from: undefined, to: undefined });
              onChosen();
            }}
          >
            {spanWords[span]}
          </button>
        ))}
      </div>
      <LazyPart>
        <WindowDates
          key={dates?.from}
          onChoose={(from, to) => {
            change({ from, to });
            onChosen();
          }}
        />
      </LazyPart>
    </div>
  );
}
