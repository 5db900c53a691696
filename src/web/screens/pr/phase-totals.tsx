import type { TimeMetrics } from '#contract/pull-requests.ts';
import type { Phase } from '#domain/phases.ts';
import { phaseLabel, wholePercents } from '#domain/time-analysis.ts';
import { Duration } from '../../kit/figure.tsx';
import classes from './phase-totals.module.css';

/** How long each phase took that there was, and its share of the whole; the shares add up to 100. Also the key of the phases' colours. */
export function PhaseTotals({ times }: { times: TimeMetrics }) {
  const totals = [
    { phase: 'development', hours: times.active_development_time },
    { phase: 'waiting', hours: times.waiting_for_review_time },
    { phase: 'approved', hours: times.post_approval_time ?? 0 },
  ] as const;
  const percents = wholePercents(totals.map(({ hours }) => hours));
  const shown = phasesOf(times);
  return (
    <ul className={classes.totals}>
      {totals.map(({ phase, hours }, index) =>
        !shown.has(phase) ? null : (
          <li key={phase} className={classes.total}>
            <span className={`${classes.swatch} ${classes[phase]}`} />
            <span className={classes.name}>{phaseLabel(phase)}</span>
            <b>
              <Duration hours={hours} />
            </b>
            <span className={classes.share}>{percents[index]}%</span>
          </li>
        ),
      )}
    </ul>
  );
}

/** The phases that there were, those of an approval that was lost again too. */
function phasesOf({ phases }: TimeMetrics): ReadonlySet<Phase> {
  return new Set(phases.map(({ phase }) => phase));
}

/** The key alone, of the phases that there were. */
export function PhaseKey({ times }: { times: TimeMetrics }) {
  const shown = phasesOf(times);
  return (
    <ul className={classes.totals}>
      {(['development', 'waiting', 'approved'] as const)
        .filter((phase) => shown.has(phase))
        .map((phase) => (
          <li key={phase} className={classes.total}>
            <span className={`${classes.swatch} ${classes[phase]}`} />
            <span className={classes.name}>{phaseLabel(phase)}</span>
          </li>
        ))}
    </ul>
  );
}
