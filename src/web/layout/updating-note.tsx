import { useQuery } from '@tanstack/react-query';
import type { ConnectedRepository } from '#contract/repositories.ts';
import { askConnectedRepositories } from '../api/questions.ts';
import { Banner } from '../kit/banner.tsx';
import classes from './page.module.css';

/** While something is counted, how far it is is asked for this often (milliseconds). */
const LOOK_EVERY = 5_000;

type Counted = Pick<ConnectedRepository, 'full_name' | 'counting'>;

/** What is being counted after an upgrade and left out of the figures until then; null when nothing is. */
export function updatingSentence(repositories: readonly Counted[]): string | null {
  const counted = repositories.flatMap(({ full_name, counting }) =>
    counting === null ? [] : [{ full_name, ...counting }],
  );
  const [first, second] = counted;
  if (first === undefined) return null;
  const names =
    second === undefined
      ? first.full_name
      : counted.length === 2
        ? `${first.full_name} and ${second.full_name}`
        : `${counted.length} repositories`;
  const percentage = Math.floor(counted.reduce((sum, one) => sum + one.percentage, 0) / counted.length);
  const seconds = counted.reduce<number | null>(
    (sum, { seconds_left }) => (sum === null || seconds_left === null ? null : sum + seconds_left),
    0,
  );
  const minutes = seconds === null ? null : Math.max(1, Math.round(seconds / 60));
  const about = minutes === null ? '' : `, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return `Updating … The figures of ${names} are being counted and left out until that is done: ${percentage} %${about}.`;
}

/** A strip below the header while figures are withheld; the screens fetch theirs again when it is done. */
export function UpdatingNote() {
  const { data } = useQuery({
    ...askConnectedRepositories(),
    refetchInterval: ({ state }) => (state.data?.some(({ counting }) => counting !== null) ? LOOK_EVERY : false),
  });
  const sentence = updatingSentence(data ?? []);
  if (sentence === null) return null;
  return (
    <div className={classes.offline}>
      <Banner meaning="note">{sentence}</Banner>
    </div>
  );
}
