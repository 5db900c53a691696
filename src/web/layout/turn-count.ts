import { useQuery } from '@tanstack/react-query';
import { askMyWork } from '../api/questions.ts';

/** Above it the number is not told any more. */
const MOST_SHOWN = 99;

/**
 * How many pull requests wait for the signed-in person in all repositories, as the navigation and the tab's name show it: "99+" above 99;
 * null where none does, and undefined while it is not known.
 */
export function useTurnCount(isAsking: boolean): string | null | undefined {
  const { data, isPending } = useQuery({ ...askMyWork(), enabled: isAsking });
  if (data === undefined) return isPending ? undefined : null;
  const { turn } = data.counts;
  if (turn === 0) return null;
  return turn > MOST_SHOWN ? `${MOST_SHOWN}+` : String(turn);
}
