import { z } from 'zod';
import { count } from '#contract/values.ts';
import { definitionOf } from '#domain/metrics/definitions.ts';
import { invalidValue } from '../http/errors.ts';

/** The most things of a list that are told, and how many where nobody says. */
const MOST_LISTED = 100;
const USUALLY_LISTED = 20;

/** A figure: over how many things it is, and under which key `define` explains it; null where it does not. */
export const figure = z.strictObject({
  value: z.number().nullable(),
  n: count.nullable(),
  definition_key: z.string().nullable(),
});

export function figureOf(value: number | null, n: number | null, key: string | null): z.output<typeof figure> {
  return { value, n, definition_key: key !== null && definitionOf(key)?.metric !== undefined ? key : null };
}

/** 0 to 1 as 0 to 100. */
export const percentOf = (share: number | null) => (share === null ? null : share * 100);

/** A list that is told in part: `total` is how many there are. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), total: count, truncated: z.boolean(), limit: count });

/** The same with where the next part begins; null after the last. */
export const pagesOf = <Item extends z.ZodType>(item: Item) =>
  listOf(item).extend({ next_cursor: z.string().nullable() });

export function listed<Item>(items: readonly Item[], limit = USUALLY_LISTED, total = items.length) {
  const told = items.slice(0, limit);
  return { items: told, total, truncated: told.length < total, limit };
}

export const limitArgument = z
  .int()
  .min(1)
  .max(MOST_LISTED)
  .default(USUALLY_LISTED)
  .describe(`How many to tell at most, up to ${MOST_LISTED}.`);
export const cursorArgument = z.string().max(20).optional().describe('`next_cursor` of the answer before.');
export const repositoryArgument = z
  .string()
  .max(300)
  .optional()
  .describe('Narrows to one repository, `owner/name` as list_repositories tells it.');
export const teamArgument = z.int().min(1).optional().describe('Narrows to one team, by its id of list_teams.');

/** Where a page begins. @throws HttpError 400 for what is no cursor of ours */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, offset] = /^at-(\d{1,7})$/.exec(cursor) ?? [];
  if (offset === undefined) throw invalidValue('cursor', 'must be the next_cursor of an earlier answer');
  return Number(offset);
}

export const cursorAt = (offset: number) => `at-${offset}`;

/** How a pull request is named: the only words of others that stand in a text. */
export const nameOf = (of: { repo_owner: string; repo_name: string; pr_number: number }) =>
  `${of.repo_owner}/${of.repo_name}#${of.pr_number}`;

/** `3 pull requests`, `1 pull request`; not grouped, as no number of an assistant's texts is. */
export const counted = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1, useGrouping: false });

/** A value with its unit, as a person reads it: `26.1 hours`, `3.7 %`. */
export function inUnit(value: number | null, unit: string): string {
  if (value === null) return 'unknown';
  const number = NUMBER.format(unit === 'share' || unit === 'points' ? value * 100 : value);
  return unit === 'count' ? number : `${number} ${unit === 'share' || unit === 'percent' ? '%' : unit}`;
}

/** Hours as a person reads them: `30 h`, `4 days`. */
export function hoursInWords(hours: number): string {
  return hours < 72 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`;
}
