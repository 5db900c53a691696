import { useQuery } from '@tanstack/react-query';
import type { ConnectedRepository } from '#contract/repositories.ts';
import { counted } from '#domain/counted.ts';
import { askConnectedRepositories } from '../api/questions.ts';
import { Banner } from '../kit/banner.tsx';
import { spokenTens } from '../kit/spoken-tens.ts';
import classes from './page.module.css';

/** While something is counted, how far it is is asked for this often (milliseconds). */
const LOOK_EVERY = 5_000;

type Counted = Pick<ConnectedRepository, 'full_name' | 'counting'>;

/** What is being counted after an upgrade and left out of the figures until then, and what is spoken of it; null when nothing is. */
export function updatingWords(repositories: readonly Counted[]): { sentence: string; spoken: string } | null {
  const updating = repositories.flatMap(({ full_name, counting }) =>
    counting === null ? [] : [{ full_name, ...counting }],
  );
  const [first, second] = updating;
  if (first === undefined) return null;
  const names =
    second === undefined
      ? first.full_name
      : updating.length === 2
        ? `${first.full_name} and ${second.full_name}`
        : `${updating.length} repositories`;
  const percentage = Math.floor(updating.reduce((sum, one) => sum + one.percentage, 0) / updating.length);
  const seconds = updating.reduce<number | null>(
    (sum, { seconds_left }) => (sum === null || seconds_left === null ? null : sum + seconds_left),
    0,
  );
  const minutes = seconds === null ? null : Math.max(1, Math.round(seconds / 60));
  const about = minutes === null ? '' : `, about ${counted(minutes, 'minute')}`;
  const words = `Updating … The figures of ${names} are being counted and left out until that is done`;
  return { sentence: `${words}: ${percentage} %${about}.`, spoken: `${words}: ${spokenTens(percentage)}.` };
}

/** A strip below the header while figures are withheld; the screens fetch theirs again when it is done. */
export function UpdatingNote() {
  const { data } = useQuery({
    ...askConnectedRepositories(),
    refetchInterval: ({ state }) => (state.data?.some(({ counting }) => counting !== null) ? LOOK_EVERY : false),
  });
  const words = updatingWords(data ?? []);
  if (words === null) return null;
  return (
    <section className={classes.offline} aria-label="Updating">
      <Banner meaning="note" spoken={words.spoken}>
        {words.sentence}
      </Banner>
    </section>
  );
}
