import { useEffect, useState } from 'react';
import type { MyWork } from '#contract/my-work.ts';
import { type Ended, endedBetween } from './words.ts';

/** What has ended stays where it was for so long, struck out, so that nothing jumps under the pointer (milliseconds). */
const STAYS = 4_000;

/** What left the list while one looks at it, for a moment; `of` says of which question the answer is. */
export function useEnded(data: MyWork | undefined, of: string): readonly Ended[] {
  const [seen, setSeen] = useState({ data, of });
  const [ended, setEnded] = useState<readonly Ended[]>([]);
  if (seen.data !== data) {
    setSeen({ data, of });
    const gone =
      seen.data === undefined || data === undefined || seen.of !== of
        ? []
        : endedBetween(seen.data.sections, data.sections);
    if (gone.length > 0) setEnded([...ended, ...gone]);
  }
  useEffect(() => {
    if (ended.length === 0) return;
    const timer = setTimeout(() => setEnded([]), STAYS);
    return () => clearTimeout(timer);
  }, [ended]);
  return ended;
}
