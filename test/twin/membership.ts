import type { PersonRef } from '#domain/pull-request.ts';
import { creditedOf } from './ai-credit.ts';
import { isHuman, type TwinPull } from './pull-request.ts';

/** In which somebody belonged to a team: from an instant to another, that one not counted; null: always, and still. */
export interface Period {
  readonly from: number | null;
  readonly to: number | null;
}

export const isDuring = ({ from, to }: Period, at: number): boolean =>
  (from === null || from <= at) && (to === null || at < to);

/** Whether a pull request is a team's, by whom it is credited to or by whoever reviewed it: no bot and no agent counts in a team. */
export function belongsBy(
  as: 'author' | 'reviewer',
  on: TwinPull,
  wasMember: (person: PersonRef, at: number) => boolean,
): boolean {
  const isMember = (person: PersonRef | null, at: number) => isHuman(person) && wasMember(person, at);
  return as === 'author'
    ? isMember(creditedOf(on) ?? on.pull.author, on.createdAt)
    : on.counting.some(({ by, at }) => isMember(by, at));
}
