import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatAgo } from '#domain/duration.ts';
import { Card } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { Face, KindChip } from '../../people/person.tsx';
import { bothNames, nameOf, PersonName } from '../../people/person-name.tsx';
import { useUser } from '../../session/session.tsx';
import { formatMomentInZone, instantOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import type { RawSearch } from '../../url/url-state.ts';
import classes from './recent-contributors.module.css';
import { RECENT_SHOWN, type RecentContributor, sameUsername } from './recent-contributors.ts';

interface Props {
  /** Newest first. */
  readonly recent: readonly RecentContributor[];
  /** Whose page is open. */
  readonly current: string | undefined;
}

/** The people whose pages were opened last on this device; the first five, the rest at a press. */
export function RecentContributorsCard({ recent, current }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? recent : recent.slice(0, RECENT_SHOWN);
  return (
    <Card title="Recent Contributors" flush>
      {recent.length === 0 && <p className={classes.nobody}>People whose page you open appear here.</p>}
      <ul className={classes.list}>
        {shown.map((contributor) => (
          <Entry
            key={contributor.username}
            contributor={contributor}
            current={current !== undefined && sameUsername(current, contributor.username)}
          />
        ))}
      </ul>
      {recent.length > RECENT_SHOWN && (
        <button type="button" className={classes.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Show the last ${RECENT_SHOWN}` : `View all ${recent.length} recent contributors`}
        </button>
      )}
    </Card>
  );
}

/** Period, repository, team and whose agents' pull requests are go along from person to person. */
const keepScope = ({ period, repository, team, credit }: RawSearch) => ({ period, repository, team, credit });

function Entry({ contributor, current }: { contributor: RecentContributor; current: boolean }) {
  const { username, display_name, avatar_url, kind, last_viewed } = contributor;
  return (
    <li className={classes.entry} data-current={current || undefined} data-tips>
      <Face name={nameOf(username, display_name)} avatarUrl={avatar_url} kind={kind} size={28} />
      <span className={classes.words}>
        <Link
          className={classes.name}
          to="/contributor/{-$username}"
          params={{ username }}
          search={keepScope}
          title={bothNames(username, display_name)}
          aria-current={current ? 'page' : undefined}
          dir="auto"
        >
          <PersonName login={username} displayName={display_name} />
        </Link>
        {current ? <span className={classes.viewed}>Viewed now</span> : <LastViewed at={last_viewed} />}
      </span>
      <KindChip kind={kind} />
      {current && <Chip meaning="accent">Current</Chip>}
    </li>
  );
}

function LastViewed({ at }: { at: string | null }) {
  const now = useNow();
  const { time_zone } = useUser();
  const instant = instantOf(at);
  if (instant === null) return <span className={classes.viewed}>Never</span>;
  return (
    <time className={classes.viewed} dateTime={at ?? undefined} data-tip={formatMomentInZone(instant, now, time_zone)}>
      Viewed {formatAgo(instant, now)}
    </time>
  );
}
