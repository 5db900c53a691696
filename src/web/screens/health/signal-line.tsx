import { Link } from '@tanstack/react-router';
import type { Signal } from '#contract/health.ts';
import { signalNames } from '#domain/signal-words.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { useUser } from '../../session/session.tsx';
import { dayOf, formatDay } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { type HealthSearch, trendDays } from './search.ts';
import classes from './signal-card.module.css';
import { readingText, valueText } from './words.ts';

interface Props {
  readonly signal: Signal;
  readonly search: HealthSearch;
}

/** The last full weeks of a signal with its usual range; leads to the same over time. */
export function SignalLine({ signal, search }: Props) {
  const { repository, team, team_as, authorship, allBases } = search;
  const now = useNow();
  const { time_zone } = useUser();
  const { key, series, usual } = signal;
  const week = (date: string) => `Week from ${formatDay(Date.parse(`${date}T12:00:00Z`), now, 'UTC')}`;
  const points = series.map(({ from, value, n }) => ({
    value,
    tip: `${week(from)}: ${valueText(key, value)}, n ${n}`,
  }));
  const last = points.at(-1)?.tip ?? '';
  return (
    <Link
      to="/trends"
      search={{
        ...{ figure: key, repository, team, team_as, authorship },
        ...(allBases && { all_bases: 'true' }),
        ...trendDays(search, dayOf(now, time_zone)),
      }}
      className={classes.line}
      data-tips
      aria-label={`${signalNames[key]} over time. ${last}. ${readingText(signal)}`}
    >
      <Sparkline points={points} label="" band={usual} linked />
    </Link>
  );
}
