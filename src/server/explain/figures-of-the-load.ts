import { sql } from 'kysely';
import type { FigureKey } from '#domain/definitions.ts';
import { isComplexReview } from '../metrics/conditions.ts';
import { type Figure, type Frame, figure, nothing, type Sql } from './figure.ts';
import { inScope, latestPerKey, submitted } from './items.ts';

const WEEK = 7;

/** Whether somebody is among those whom the list of the review load holds. */
const isListed = (person: Sql, { with_automation }: Frame) =>
  with_automation ? sql`${person} is not null` : sql`${person} in (select id from people where kind = 'human')`;

const requests = (condition: (frame: Frame) => Sql) => (frame: Frame) =>
  sql`
  select p.repository_id, p.number, p.created_at as at, ${nothing} as value, request.person_id
  from pull_requests p
  join review_requests request on request.repository_id = p.repository_id and request.number = p.number
  where ${inScope(frame)} and p.state = 'open' and ${condition(frame)}`;
const outstanding = requests((frame) => sql`not p.draft and ${isListed(sql`request.person_id`, frame)}`);

const isCounted = (frame: Frame) =>
  sql`${frame.with_automation ? sql`(r.counts or r.automated)` : sql`r.counts`} and ${isListed(sql`r.author_id`, frame)}`;
const isComplex = isComplexReview('r');

/** The counted reviews, each with who gave it. */
const given = (frame: Frame) =>
  sql`
  select r.repository_id, r.number, r.submitted_at as at, r.author_id as person_id from reviews r
  where ${frame.scope.filter('r')} and r.submitted_at > ${frame.after} and ${isCounted(frame)}`;

/** What the list of the review load adds up to (docs/product.md#review-load). */
export const figuresOfTheLoad = {
  'team.outstanding_reviews': figure(
    null,
    'count',
    outstanding,
    {
      reason: 'Requested on drafts',
      rows: requests((frame) => sql`p.draft and ${isListed(sql`request.person_id`, frame)}`),
    },
    { reason: 'Requested of teams', rows: requests(() => sql`request.person_id is null`) },
  ),
  'team.complex_reviews': figure(
    WEEK,
    'count',
    (frame) => submitted(sql`${isCounted(frame)} and ${isComplex}`)(frame),
    {
      reason: 'Reviews with less feedback',
      rows: (frame) => submitted(sql`${isCounted(frame)} and not ${isComplex}`)(frame),
    },
  ),
  'team.active_reviewers': figure(WEEK, 'count', latestPerKey(sql`person_id`, given)),
} satisfies Partial<Record<FigureKey, Figure>>;
