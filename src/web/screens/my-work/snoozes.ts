import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { WorkItem } from '#contract/my-work.ts';
import type { CallInput } from '../../api/client.ts';
import { api } from '../../api/client.ts';
import { keyOf } from '../../api/query.ts';
import { keyOfItem } from './words.ts';
import { focusRow, rowsAfter } from './work-keys.ts';

/** So long can a snooze be taken back beside what says it (milliseconds). */
const OFFERED = 8_000;

/** Until when; an instant in ISO 8601. */
export type SnoozeChoice = NonNullable<CallInput<'saveSnooze'>['body']>;

/** The snooze that was made last on this page. */
export interface LatestSnooze {
  readonly item: WorkItem;
  readonly until: string | null;
  readonly until_change: boolean;
  /** It is told of, with the way back. */
  readonly isShown: boolean;
}

export interface Snoozes {
  readonly snooze: (item: WorkItem, choice: SnoozeChoice) => void;
  /** Takes one back: the one that was made last, unless another is named. */
  readonly takeBack: (item?: WorkItem) => void;
  readonly latest: LatestSnooze | null;
  /** Whether a row is leaving the list, or its snooze is being taken back. */
  readonly isLeaving: (item: WorkItem) => boolean;
  readonly error: { readonly what: string; readonly cause: unknown } | null;
}

/** Puts items aside and takes that back; the list is asked for again after each. */
export function useSnoozes(): Snoozes {
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const [latest, setLatest] = useState<LatestSnooze | null>(null);
  const [error, setError] = useState<Snoozes['error']>(null);

  const change = useCallback(
    async (item: WorkItem, call: () => Promise<void>, what: string): Promise<boolean> => {
      const key = keyOfItem(item);
      setError(null);
      setLeaving((before) => new Set([...before, key]));
      const done = await call().then(
        () => true,
        (cause: unknown) => {
          setError({ what, cause });
          return false;
        },
      );
      await queries.invalidateQueries({ queryKey: keyOf('getMyWork') });
      // The list shows the answer with the next turn of the page.
      await new Promise((shown) => setTimeout(shown, 0));
      setLeaving((before) => new Set([...before].filter((other) => other !== key)));
      return done;
    },
    [queries],
  );

  const snooze = useCallback(
    (item: WorkItem, body: SnoozeChoice) => {
      const next = rowsAfter(keyOfItem(item));
      const save = async () => {
        const saved = await api.saveSnooze({ params: addressOf(item), body });
        setLatest({ item, ...saved, isShown: true });
      };
      void change(item, save, 'Failed to snooze it').then((done) => done && focusRow(next));
    },
    [change],
  );

  const takeBack = useCallback(
    (named?: WorkItem) => {
      const item = named ?? latest?.item;
      if (item === undefined) return;
      setLatest(null);
      const remove = async () => {
        await api.deleteSnooze({ params: addressOf(item) });
      };
      void change(item, remove, 'Failed to take the snooze back').then((done) => done && focusRow([keyOfItem(item)]));
    },
    [change, latest],
  );

  useEffect(() => {
    if (latest?.isShown !== true) return;
    const timer = setTimeout(() => setLatest({ ...latest, isShown: false }), OFFERED);
    return () => clearTimeout(timer);
  }, [latest]);

  return { snooze, takeBack, latest, isLeaving: (item) => leaving.has(keyOfItem(item)), error };
}

function addressOf({ repo_owner, repo_name, pr_number }: WorkItem) {
  return { owner: repo_owner, name: repo_name, number: pr_number };
}
