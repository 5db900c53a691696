import { formatAge, formatAgo } from '#domain/duration.ts';
import { useUser } from '../session/session.tsx';
import { formatMomentInZone, instantOf } from './moment.ts';
import { useNow } from './now.ts';

interface Props {
  /** ISO text; null or unreadable shows `missing`. */
  readonly at: string | null;
  /** `ago` reads "3 days ago", `age` reads "3 days". */
  readonly as: 'ago' | 'age';
  readonly missing?: string;
}

/** A time relative to now, with the full date as its tooltip. */
export function When({ at, as, missing }: Props) {
  const now = useNow();
  const { time_zone } = useUser();
  const instant = instantOf(at);
  if (instant === null) return <span>{missing ?? formatAge(null, now)}</span>;
  return (
    <time dateTime={at ?? undefined} data-tip={formatMomentInZone(instant, now, time_zone)}>
      {as === 'ago' ? formatAgo(instant, now) : formatAge(instant, now)}
    </time>
  );
}
