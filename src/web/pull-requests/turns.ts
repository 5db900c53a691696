import type { WaitingOn } from '#domain/whose-turn.ts';
import { readOneOf } from '../url/url-state.ts';

/** Whom an open pull request can wait for, in the order of the choices. */
export const turns: readonly WaitingOn[] = ['reviewers', 'author', 'merge'];

/** The `turn` of an address; undefined for everybody's. */
export function readTurn(chosen: unknown): WaitingOn | undefined {
  return readOneOf(chosen, turns);
}
