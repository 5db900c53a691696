import type { Entry } from './history.ts';
import type { WorldState } from './state/world-state.ts';
import { commit as madeUpCommit } from './worlds/builder.ts';

/** A moment as a control takes it: an ISO text or epoch milliseconds. */
export type Time = string | number;

/** Epoch milliseconds, cut to whole seconds. Throws for a text that is no time. */
export function timeOf(time: Time): number {
  const at = typeof time === 'number' ? time : Date.parse(time);
  if (Number.isNaN(at)) throw new Error(`'${time}' is no time: write it as 2026-11-21T10:00:00Z.`);
  return Math.floor(at / 1000) * 1000;
}

/** An entry of which only the kind is needed. */
export type LooseEntry = Partial<Record<string, unknown>> & { readonly kind?: Entry['kind']; readonly count?: number };

/** The entry with everything that was left out made up. Throws without a kind. */
export function completed(given: LooseEntry, world: WorldState, now: number, author: string | null): Entry {
  if (given.kind === undefined) throw new Error('An entry needs a kind, such as "comment" or "merged".');
  const at = given.at === undefined ? now : timeOf(given.at as Time);
  const by = given.by === undefined ? author : (given.by as string | null);
  const id = given.id ?? world.newId();
  const { count, ...rest } = given;
  const entry = { ...rest, at, by };
  switch (given.kind) {
    case 'comment':
      return { id, ...entry } as Entry;
    case 'inline_comment':
      return { id, path: 'src/main.ts', inReplyTo: null, ...entry } as unknown as Entry;
    case 'review': {
      const comments = ((given.comments as object[] | undefined) ?? []).map((comment) => ({
        id: world.newId(),
        at,
        author: by,
        path: 'src/main.ts',
        inReplyTo: null,
        ...comment,
      }));
      return { id, state: 'COMMENTED', bodyLength: 0, commit: null, ...entry, comments } as Entry;
    }
    case 'commits':
    case 'force_push': {
      const made = Array.from({ length: count ?? 1 }, () => madeUpCommit(`${world.newId()}`, by, at));
      const commits = given.commits ?? made;
      return given.kind === 'commits'
        ? ({ ...entry, commits } as Entry)
        : ({ before: null, after: null, ...entry, commits } as unknown as Entry);
    }
    case 'check':
      return {
        id,
        name: 'build',
        app: 'GitHub Actions',
        outcome: 'SUCCESS',
        ...entry,
        startedAt: given.startedAt === undefined ? at : timeOf(given.startedAt as Time),
      } as unknown as Entry;
    case 'status':
      return { id, context: 'ci', state: 'SUCCESS', ...entry } as unknown as Entry;
    case 'reacted':
      return { ...entry, count: count ?? 1 } as unknown as Entry;
    case 'merged':
      return { commit: null, ...entry } as unknown as Entry;
    default:
      return entry as unknown as Entry;
  }
}
