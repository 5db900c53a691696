import { useQuery } from '@tanstack/react-query';
import { askConnectedRepositories } from '../api/questions.ts';
import { Banner } from '../kit/banner.tsx';
import classes from './page.module.css';

/** While the host is being asked what the account may read, the answer is looked for this often (milliseconds). */
const LOOK_EVERY = 2000;

/** A strip below the header while repositories are withheld because the host is being asked again whether the account may read them. */
export function AccessNote() {
  const { data } = useQuery({
    ...askConnectedRepositories(),
    refetchInterval: ({ state }) =>
      state.data?.some(({ access }) => access.state === 'checking') ? LOOK_EVERY : false,
  });
  const sentences = new Set(
    data?.flatMap(({ access }) => (access.state === 'checking' && access.reason !== null ? [access.reason] : [])),
  );
  if (sentences.size === 0) return null;
  return (
    <div className={classes.offline}>
      <Banner meaning="note">{[...sentences].join('\n')}</Banner>
    </div>
  );
}
