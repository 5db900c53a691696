import type { TrendFigure } from '#contract/trends.ts';
import { type Period, periods } from '#domain/period.ts';
import { type RawSearch, readOneOf, readPositive, readText } from '../../url/url-state.ts';

/** Figures that can be followed week by week below the comparison. */
export const weeklyFigures = [
  'time_to_first_review',
  'time_to_merge',
  'merged',
  'opened',
  'size',
  'rounds',
] as const satisfies readonly TrendFigure[];
export type WeeklyFigure = (typeof weeklyFigures)[number];

export interface TeamsSearch {
  readonly period: Period;
  readonly repository: number | undefined;
  /** The team whose parts are compared; undefined: those that are part of none, and groups. */
  readonly parent: number | undefined;
  /** The teams that are put side by side, by id; none: all of them. */
  readonly teams: readonly number[];
  /** Of the weeks below. */
  readonly figure: WeeklyFigure;
}

/** The window of the comparison where none is chosen. */
export const OWN_WINDOW: Period = '30d';

/** What the address says of the comparison; what makes no sense counts as absent. */
export function readTeamsSearch(search: RawSearch): TeamsSearch {
  const teams = (readText(search.teams) ?? '').split(',').flatMap((id) => readPositive(id) ?? []);
  return {
    period: readOneOf(search.period, periods) ?? OWN_WINDOW,
    repository: readPositive(search.repository),
    parent: readPositive(search.parent),
    teams: [...new Set(teams)],
    figure: readOneOf(search.figure, weeklyFigures) ?? 'time_to_first_review',
  };
}
