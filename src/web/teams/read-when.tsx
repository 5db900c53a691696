import type { Team } from '#contract/teams.ts';
import { useUser } from '../session/session.tsx';
import { formatAsOf, formatMomentInZone, instantOf } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import classes from './teams.module.css';
import { shortDay, staleness } from './words.ts';

/** When a team of the host was read last: 'read today, 06:10', or 'not updated since 3 Nov'. */
export function ReadWhen({ team }: { readonly team: Pick<Team, 'read_at' | 'stale_since'> }) {
  const now = useNow();
  const { time_zone } = useUser();
  const stale = staleness(team, now);
  const read = instantOf(team.read_at);
  if (stale !== null)
    return (
      <span
        className={`${classes.read} ${stale.isLong ? classes.stale : ''}`}
        data-tip={`Nobody’s token reads it any more, or the host does not answer. Last read ${formatMomentInZone(read, now, time_zone)}.`}
      >
        not updated since {shortDay(stale.since, now, time_zone)}
      </span>
    );
  if (read === null) return <span className={classes.read}>not read yet</span>;
  const when = formatAsOf(read, now, time_zone);
  return (
    <span className={classes.read} data-tip={formatMomentInZone(read, now, time_zone)}>
      read {/^\d/.test(when) ? `today, ${when}` : when}
    </span>
  );
}
