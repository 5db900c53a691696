import type { Compared } from './comparison.ts';
import classes from './contributor.module.css';

interface Props {
  readonly compared: Compared | null;
  /** What the card shows, as in "The team has no mean of …". */
  readonly of: string;
  /** Whether it stands in a card whose content runs edge to edge. */
  readonly flush?: boolean;
}

/** Says, while the page compares with the team, of which figures there is no mean to stand beside them. */
export function NoTeamMean({ compared, of, flush = false }: Props) {
  if (compared === null || compared.metrics !== null) return null;
  return <p className={`${classes.note} ${flush ? classes.inset : ''}`}>The team has no mean of {of}.</p>;
}
