import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { Explanation } from '#contract/explain.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { edgeHistory } from '../../../test/support/edge-history.ts';
import { measured } from '../../../test/support/every-figure.ts';
import { type RandomHistory, randomHistory } from '../../../test/support/random-history.ts';
import { recordedPullRequests } from '../../../test/support/recorded-pull-requests.ts';
import { isRecorded } from '../../../test/support/recordings.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import { dateOf, rounded } from '../../../test/twin/arithmetic.ts';
import { heatmap } from '../../../test/twin/contributors.ts';
import { authoredBy, everybody } from '../../../test/twin/people.ts';
import { DAY, isHuman, readAll, type TwinPull } from '../../../test/twin/pull-request.ts';
import { contributorMetrics } from '../contributors/contributor-metrics.ts';
import { findContributor } from '../contributors/find-contributor.ts';
import { reviewHeatmap } from '../contributors/review-heatmap.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { Scope } from '../metrics/scope.ts';
import { findRepository, pullRequestDetail } from '../pull-requests/pull-request-detail.ts';
import { explainRoutes } from './routes.ts';

interface View {
  readonly name: string;
  readonly scope: Scope;
  readonly now: number;
  readonly zone: string;
  readonly pulls: readonly TwinPull[];
}
interface Query {
  readonly username?: string;
  readonly period?: string;
  readonly part?: string;
  readonly pull_request?: string;
  readonly repository?: number;
  readonly limit?: number;
  readonly offset?: number;
}

/** So many of the recorded pull requests, the latest. */
const RECORDED = 150;
if (!isRecorded)
  console.warn('SKIPPED: the explanations of recorded pull requests, because their recordings are not there.');

let database: OpenDatabase;
/** What users see of a random history, of one at the edges of windows while clocks change, and of a real repository; each leaves one out. */
const views: View[] = [];
/** The figures that were explained while they came to something. */
const seen = new Set<string>();

beforeAll(async () => {
  database = await openTestDatabase();
  const [random] = fc.sample(randomHistory, { seed: 23, numRuns: 1 });
  await see('random', random!, 'Asia/Kolkata', [0, 2]);
  await see('autumn', edgeHistory(Date.parse('2026-11-01T06:30:00Z'), 'America/New_York'), 'America/New_York', [0, 1]);
  if (!isRecorded) return;
  const latest = recordedPullRequests().toSorted((a, b) => b.updatedAt - a.updatedAt);
  const pulls = latest.slice(0, RECORDED).map((pull) => ({ ...pull, files: [] }));
  const now = Math.max(...pulls.map(({ updatedAt }) => updatedAt)) + 3_600_000;
  await see('recorded', { now, repositories: [{ owner: 'bitcoin-core', name: 'gui', pulls }] }, 'Europe/Oslo', [0]);
}, 300_000);
afterAll(() => database.close());

async function see(name: string, history: RandomHistory, zone: string, places: readonly number[]): Promise<void> {
  const repositories = history.repositories.map((repository) => ({
    ...repository,
    owner: `${name}-${repository.owner}`,
  }));
  const ids: number[] = [];
  for (const { owner, name: called, pulls } of repositories) {
    const id = await aRepository(database.db, `${owner}/${called}`);
    await store(database.db, id, history.now, pulls);
    ids.push(id);
  }
  const names = places.map((place) => `${repositories[place]!.owner}/${repositories[place]!.name}`);
  const scope = await aScope(
    database.db,
    places.map((place) => ids[place]!),
  );
  views.push({ name, scope, now: history.now, zone, pulls: readAll({ ...history, repositories }, names) });
}

async function explained({ scope, now, zone }: View, metric: string, query: Query): Promise<Explanation> {
  const { explainMetric } = explainRoutes({ db: database.db, now: () => new Date(now) });
  const user = { id: scope.user_id, host: 'h', login: 'me', time_zone: zone };
  const asked = { params: { metric }, query: { limit: 100, offset: 0, ...query }, user };
  return await explainMetric(asked as unknown as Parameters<typeof explainMetric>[0]);
}

/** A whole explanation, page by page, and that its pages are of one piece. */
async function whole(view: View, metric: string, query: Query): Promise<Explanation> {
  const first = await explained(view, metric, query);
  const items = [...first.items];
  for (let { hasMore } = first; hasMore; ) {
    const page = await explained(view, metric, { ...query, offset: items.length });
    expect(page.total).toBe(first.n);
    items.push(...page.items);
    hasMore = page.hasMore;
  }
  expect(items.length).toBe(first.n);
  if (first.n > 0) seen.add(metric);
  return { ...first, items };
}

const addressOf = ({ repository, pull }: TwinPull) => `${repository}#${pull.number}`;
/** What went into it, in a fixed order: each pull request with its moment. */
const wentInto = ({ items }: Explanation) =>
  items.map(({ repo_owner, repo_name, pr_number, at }) => `${repo_owner}/${repo_name}#${pr_number} ${at}`).sort();
const theTwins = (all: readonly { readonly it: TwinPull; readonly at: number }[]) =>
  all.map(({ it, at }) => `${addressOf(it)} ${new Date(at).toISOString()}`).sort();

const sizes: readonly (readonly [string, number, number])[] = [
  ['0-50', 0, 50],
  ['51-200', 51, 200],
  ['201-500', 201, 500],
  ['501-1000', 501, 1000],
  ['1000+', 1001, Number.POSITIVE_INFINITY],
];

const places = isRecorded ? [0, 1, 2] : [0, 1];
describe.each(places)('what a user sees, %i', (place) => {
  let view: View;
  /** Four of those who take part, the most active among them. */
  let people: { username: string; id: number; theirs: TwinPull[] }[];
  beforeAll(async () => {
    view = views[place]!;
    people = [];
    const everyone = everybody(view.pulls).map((person) => ({ person, theirs: authoredBy(view.pulls, person) }));
    for (const { person, theirs } of everyone.sort((a, b) => b.theirs.length - a.theirs.length).slice(0, 4)) {
      const found = await findContributor(database.db, view.scope, person.login, new Date(view.now));
      if (found !== null) people.push({ username: found.username, id: found.id, theirs });
    }
    expect(people.length).toBeGreaterThan(2);
  });

  const metricsOf = async (username: string, period: '30d' | '1y'): Promise<ContributorMetrics> => {
    const person = (await findContributor(database.db, view.scope, username, new Date(view.now)))!;
    return await contributorMetrics(database.db, view.scope, person, period, new Date(view.now), view.zone);
  };

  test.each([
    ['30d', 30],
    ['1y', 365],
  ] as const)(
    'each size, reviewer and folder in %s is what the panels show, and made of those pull requests',
    async (period, days) => {
      const after = view.now - days * DAY;
      for (const { username, theirs } of people) {
        const metrics = await metricsOf(username, period);
        for (const [part, low, high] of sizes) {
          const size = await whole(view, 'contributor.pr_size_distribution', { username, period, part });
          expect([size.value, size.n], part).toEqual(Array(2).fill(metrics.pr_size_distribution[part as '0-50']));
          const fitting = theirs.filter(
            ({ createdAt, size: lines }) => createdAt > after && lines >= low && lines <= high,
          );
          expect(wentInto(size)).toEqual(theTwins(fitting.map((it) => ({ it, at: it.createdAt }))));
        }
        for (const { username: part, count } of metrics.top_reviewed_by) {
          const reviewer = await whole(view, 'contributor.top_reviewed_by', { username, period, part });
          expect([reviewer.value, reviewer.n], part).toEqual([count, count]);
          const given = theirs.flatMap((it) =>
            it.counting.filter(({ by, at }) => by.login === part && at > after).map(({ at }) => ({ it, at })),
          );
          expect(wentInto(reviewer)).toEqual(theTwins(given));
        }
        const merged = theirs.filter(({ pull, endedAt }) => pull.state === 'merged' && endedAt! > after);
        const nowhere = await whole(view, 'contributor.code_ownership_areas', { username, period, part: 'no/such' });
        expect(nowhere.value).toBe(metrics.code_ownership_areas.length === 0 ? null : 0);
        for (const { path: part, percentage } of metrics.code_ownership_areas) {
          const area = await whole(view, 'contributor.code_ownership_areas', { username, period, part });
          expect(rounded(area.value, percentage), part).toBe(percentage);
          const lines = merged.flatMap((it) => {
            const files = it.pull.files.filter(
              ({ path }) => (path.split('/').slice(0, -1).slice(0, 2).join('/') || '.') === part,
            );
            const changed = files.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
            return changed === 0 ? [] : [`${addressOf(it)} ${changed}`];
          });
          const items = area.items.map(
            ({ repo_owner, repo_name, pr_number, value }) => `${repo_owner}/${repo_name}#${pr_number} ${value}`,
          );
          expect(items.sort()).toEqual(lines.sort());
        }
      }
    },
  );

  test('each week, day and hour is what the panels show', async () => {
    for (const { username, id, theirs } of people.slice(0, 2)) {
      const metrics = await metricsOf(username, '30d');
      for (const [index, { week, prs_opened, prs_merged }] of metrics.velocity_trend.entries()) {
        const [from, to] = [view.now - (6 - index) * 7 * DAY, view.now - (5 - index) * 7 * DAY];
        const within = (at: number | null): at is number => at !== null && at > from && at <= to;
        const opened = await whole(view, 'contributor.velocity_opened', { username, part: week });
        expect([opened.value, opened.n]).toEqual([prs_opened, prs_opened]);
        expect(opened.window).toEqual({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
        expect(wentInto(opened)).toEqual(
          theTwins(theirs.filter(({ createdAt }) => within(createdAt)).map((it) => ({ it, at: it.createdAt }))),
        );
        const merged = await whole(view, 'contributor.velocity_merged', { username, part: week });
        expect([merged.value, merged.n]).toEqual([prs_merged, prs_merged]);
        const ended = theirs.filter(({ pull, endedAt }) => pull.state === 'merged' && within(endedAt));
        expect(wentInto(merged)).toEqual(theTwins(ended.map((it) => ({ it, at: it.endedAt! }))));

        // A page that was drawn yesterday calls the week by the day on which it began then.
        const [yesterday, earlier] = [1, 2].map((days) => dateOf(view.zone, from - days * DAY));
        const { value, n, window } = opened;
        expect(await explained(view, opened.metric, { username, part: yesterday! })).toMatchObject({
          ...{ part: yesterday, value, n, window },
        });
        await expect(explained(view, opened.metric, { username, part: earlier! })).rejects.toThrow(
          'must be the first day of one of the last six weeks',
        );
      }

      // The quiet days tell nothing one by one; the first, the last and those at a clock change are among the rest.
      const days = metrics.activity_calendar.filter(({ count }, at) => count > 0 || at % 12 === 0 || at > 80);
      for (const { date: part, count } of days) {
        const day = await whole(view, 'contributor.activity_calendar', { username, part });
        expect([day.value, day.n], `${username} on ${part}`).toEqual([count, count]);
        expect(day.items.every(({ at }) => dateOf(view.zone, Date.parse(at)) === part)).toBe(true);
      }

      const person = everybody(view.pulls).find(({ login }) => login === username)!;
      const cells = await reviewHeatmap(database.db, view.scope, id, new Date(view.now), view.zone);
      expect(cells).toEqual(heatmap(view.pulls, person, view.now, view.zone));
      const clock = new Intl.DateTimeFormat('en-GB', {
        timeZone: view.zone,
        weekday: 'short',
        hour: '2-digit',
        hourCycle: 'h23',
      });
      for (const { weekday, hour, count } of cells.slice(0, 12)) {
        const cell = await whole(view, 'contributor.review_heatmap', { username, part: `${weekday}-${hour}` });
        expect([cell.value, cell.n]).toEqual([count, count]);
        const at = new Set(cell.items.map((item) => clock.format(Date.parse(item.at))));
        expect(at.size).toBe(1);
      }
    }
  });

  test('what a pull request is compared with is what its screen shows, and made of those merges', async () => {
    const some = view.pulls.filter((_, index) => index % Math.ceil(view.pulls.length / 6) === 0);
    for (const it of [...some, ...view.pulls.filter(({ pull }) => pull.author === null).slice(0, 1)]) {
      const repository = (await findRepository(database.db, view.scope, it.owner, it.name))!;
      const detail = (await pullRequestDetail(
        database.db,
        view.scope,
        repository,
        it.pull.number,
        new Date(view.now),
        view.zone,
      ))!;
      const { comparison_set_size, author_set_size, ...shown } = detail.comparative_metrics;
      const end = it.endedAt ?? view.now;
      for (const [name, value] of Object.entries(shown)) {
        const of = `${name} of ${addressOf(it)}`;
        const explanation = await whole(view, `pull_request.${name}`, {
          pull_request: `${it.repository}/${it.pull.number}`,
        });
        const isTeam = !name.startsWith('author');
        expect(explanation.n, of).toBe(isTeam ? comparison_set_size : author_set_size);
        expect(rounded(explanation.value, value), of).toBe(value);
        expect(explanation.window.to).toBe(new Date(end).toISOString());
        const others = view.pulls.filter(
          (other) =>
            addressOf(other) !== addressOf(it) &&
            other.pull.state === 'merged' &&
            other.endedAt! > end - (isTeam ? 90 : 180) * DAY &&
            other.endedAt! <= end &&
            (isTeam
              ? isHuman(other.pull.author)
              : other.pull.author?.id === it.pull.author?.id && it.pull.author !== null),
        );
        expect(wentInto(explanation), of).toEqual(theTwins(others.map((other) => ({ it: other, at: other.endedAt! }))));
      }
    }
  });
});

test('no figure with parts and no comparison went unexplained', () => {
  expect([...measured].flatMap(([key, { part, among }]) => ((part ?? among) && !seen.has(key) ? [key] : []))).toEqual(
    [],
  );
});
