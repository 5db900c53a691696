import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PullRequestDetail, PullRequestList, PullRequestListItem } from '#contract/pull-requests.ts';
import type { User } from '#contract/session.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { isRecorded, recordingsFolder } from '../support/recordings.ts';
import { startDeepDiveProduct } from './support/deep-dive.ts';
import { type DeepDiveText, deepDiveReader } from './support/deep-dive-text.ts';
import { TEAM_REPOSITORY } from './support/team.ts';

// Thousands of pages are drawn; React does it in half the time without its warnings.
vi.hoisted(() => vi.stubEnv('NODE_ENV', 'production'));

if (!isRecorded) {
  console.error(
    `\n${'!'.repeat(80)}\nThe recorded data is not there: its deep dives are LEFT OUT of what is compared.\n${'!'.repeat(80)}\n`,
  );
}

const amount = '([\\d,.<]+ (?:min|h|d))';
const count = '([\\d,]+)';

/** Where each figure stands that is shown more than once: the card, and what it reads like there. */
const places: Readonly<Record<string, readonly (readonly [card: string, pattern: string])[]>> = {
  'cycle time': [
    ['Header', `open for ${amount}`],
    ['Cards / Key figures', `Cycle Time ${amount}`],
    ['Timeline / Where', `^the ${amount} went`],
    ['Time / Response Times', `^share of ${amount}`],
    ['Time / Response Times', `Total Cycle Time opened \\w+ \\w+ ${amount}`],
    ['Time / Phase Durations', `^of ${amount}`],
    ['Comparative / vs Your Average', `^.*?This PR ${amount}`],
    ['Comparative / vs Team Median', `^.*?This PR ${amount}`],
    ['Comparative / Team Benchmarks', `This PR ${amount}`],
    ['Comparative / Success Patterns', `Cycle time ${amount}, the team`],
  ],
  'review rounds': [
    ['Cards / Key figures', `Review Cycles ${count} round`],
    ['Time / Phase Durations', `Review Cycles ${count} round`],
    ['Reviews / Review figures', `Review Rounds ${count}`],
    ['Comparative / Success Patterns', `${count} rounds? of review`],
    ['Comparative / Insights & Recommendations', `${count} rounds of review`],
  ],
  'reviewers and asked': [
    ['Cards / Key figures', 'rounds? (\\d+ reviewers?(?:, \\d+ asked)?) PR Size'],
    ['Reviews / Reviewer Performance', '^(\\d+ reviewers?(?:, \\d+ asked)?)'],
  ],
  'reviews and asked': [
    ['Timeline / Reviewers', '^(\\d+ reviews?(?:, \\d+ asked)?)'],
    ['Reviews / Review figures', 'Review Rounds \\S+ (\\d+ reviews?(?:, \\d+ asked)?) Total'],
  ],
  reviews: [
    ['Timeline / Reviewers', `^${count} review`],
    ['Reviews / Review History', `^${count} review`],
    ['Reviews / Review figures', `of ${count} reviews? Changes`],
    ['Reviews / Review figures', `of ${count} reviews?$`],
  ],
  files: [
    ['Cards / Key figures', `${count} files? changed`],
    ['Code / Files Changed', `^${count}`],
  ],
  additions: [
    ['Cards / Key figures', `\\+${count}`],
    ['Code / PR Size Analysis', `Additions ${count}`],
  ],
  deletions: [
    ['Cards / Key figures', `−${count}`],
    ['Code / PR Size Analysis', `Deletions ${count}`],
  ],
  lines: [
    ['Code / PR Size Analysis', `${count} lines? changed:`],
    ['Code / Size Comparison', `This PR ${count} line`],
    ['Code / Size Comparison', `This PR changes ${count} line`],
    ['Comparative / vs Your Average', `PR size .*?This PR ${count} line`],
    ['Comparative / vs Team Median', `PR size .*?This PR ${count} line`],
    ['Comparative / Success Patterns', `${count} lines changed`],
  ],
  commits: [
    ['Timeline / PR Timeline', `Commits ${count}`],
    ['Code / Commits', `^${count}`],
  ],
  'general comments': [
    ['Timeline / PR Timeline', `General comments ${count}`],
    ['Collaboration / Discussion Activity', `General comments ${count}`],
  ],
  'time percentile': [
    ['Cards / Key figures', 'Percentile (p\\d+)'],
    ['Comparative / Percentile Rankings', 'Cycle time(?: so far| to the close)? (p\\d+)'],
  ],
  'time percentile in words': [
    ['Comparative / Percentile Rankings', 'Took longer than (\\d+)%'],
    ['Comparative / Insights & Recommendations', 'Took longer than (\\d+)%'],
  ],
  'size percentile': [
    ['Code / Size Comparison', '(p\\d+)$'],
    ['Comparative / Percentile Rankings', 'Size [A-Za-z ]*(p\\d+)'],
  ],
  'size percentile in words': [
    ['Comparative / Percentile Rankings', 'Larger than (\\d+)%'],
    ['Comparative / Insights & Recommendations', 'Larger than (\\d+)%'],
  ],
  'size grade': [
    ['Code / Size Comparison', '(Optimal|Good|Above Average|Too Large) p\\d+$'],
    ['Comparative / Percentile Rankings', 'Size (Optimal|Good|Above Average|Too Large)'],
  ],
  'team p50': [
    ['Cards / Key figures', `vs team p50: ${amount}`],
    ['Comparative / vs Team Median', `Team p50 ${amount}`],
    ['Comparative / Team Benchmarks', `Team p50 ${amount}`],
    ['Comparative / Success Patterns', `median is ${amount}`],
  ],
  'author’s average size': [
    ['Code / Size Comparison', `average ${count} line`],
    ['Code / Size Comparison', `others ${count} on average`],
    ['Comparative / vs Your Average', `average ${count} line`],
    ['Comparative / Success Patterns', `author’s average is ${count}`],
  ],
  'pull requests compared with': [
    ['Comparative / vs Team Median', `^${count} other`],
    ['Comparative / Team Benchmarks', `cycle time of ${count} merged`],
    ['Comparative / Percentile Rankings', `of ${count} Size`],
  ],
  'time to first review': [
    ['Timeline / Milestones', `First review [^+]*\\+${amount}`],
    ['Time / Response Times', `from ready for review ${amount}`],
  ],
  'time in development': [
    ['Timeline / Where', `Development ${amount}`],
    ['Time / Phase Durations', `Active Development \\d+% ${amount}`],
  ],
  'share of development': [
    ['Timeline / Where', `Development ${amount.replace('(', '(?:')} (\\d+)%`],
    ['Time / Phase Durations', 'Active Development (\\d+)%'],
  ],
  'time waiting': [
    ['Timeline / Where', `Waiting for review ${amount}`],
    ['Time / Phase Durations', `Waiting for Review \\d+% ${amount}`],
  ],
  'share of waiting': [
    ['Timeline / Where', `Waiting for review ${amount.replace('(', '(?:')} (\\d+)%`],
    ['Time / Phase Durations', 'Waiting for Review (\\d+)%'],
  ],
  'time after the approval': [
    ['Timeline / Where', `Approved ${amount} [1-9]\\d*%`],
    ['Timeline / Milestones', `Approved .*(?:Merged|Closed) [^+]*\\+${amount}`],
    ['Time / Response Times', `Post-Approval to Merge (?:[a-z ]+ )?${amount}`],
  ],
  handoffs: [
    ['Collaboration / Collaboration figures', `mean of ${count} handoff`],
    ['Collaboration / Handoff Efficiency', `^${count} handoff`],
  ],
};

/** What is shown once as a whole and once in its parts, and lists that stand twice. */
const sums: Readonly<Record<string, (of: (card: string, pattern: string) => string[]) => readonly unknown[]>> = {
  lines: (of) => [
    total(of('Cards / Key figures', `[+−]${count}`)),
    total(of('Code / PR Size Analysis', `(?:Additions|Deletions) ${count}`)),
  ],
  'comments of the reviews': (of) => [
    total(of('Reviews / Review figures', `Total Comments ${count}`)),
    total(of('Reviews / Review History', `${count} comment`)),
  ],
  'reviews of the reviewers': (of) => [
    total(of('Reviews / Review History', `^${count} review`)),
    total(of('Timeline / Reviewers', `${count} reviews?, [\\d,]+ comments? in all`)),
    total(of('Reviews / Reviewer Performance', `Reviews ${count} Comments`)),
  ],
  'approvals and requests for changes': (of) => [
    [
      total(of('Reviews / Review figures', `Approvals ${count}`)),
      total(of('Reviews / Review figures', `Changes Requested ${count}`)),
    ],
    [of('Reviews / Review History', '(Approved)').length, of('Reviews / Review History', '(Changes Requested)').length],
  ],
  'comments of each reviewer': (of) => [
    of('Timeline / Reviewers', `${count} comments? in all`),
    of('Reviews / Reviewer Performance', `Comments in all ${count}`),
  ],
  'response time of each reviewer': (of) => [
    of('Timeline / Reviewers', `avg response ${amount}`),
    of('Reviews / Reviewer Performance', `Avg response ${amount}`),
  ],
  'engagement of each reviewer': (of) => [
    of('Reviews / Reviewer Performance', '(\\S+ Engagement: (?:High|Medium|Low)) Reviews'),
    of('Collaboration / Participant Contributions', '(\\S+ Engagement: (?:High|Medium|Low))'),
  ],
  'who is asked': (of) => [
    of('Timeline / Reviewers', '(\\S+ asked(?: [\\d,.<]+ \\w+ ago)?, no answer)'),
    of('Reviews / Reviewer Performance', '(\\S+ asked(?: [\\d,.<]+ \\w+ ago)?, no answer)'),
  ],
  participants: (of) => [
    total(of('Collaboration / Collaboration figures', `Total Participants ${count}`)),
    of('Collaboration / Participant Contributions', `${count} action`).length,
  ],
  interactions: (of) => [
    total(of('Collaboration / Collaboration figures', `Total Interactions ${count}`)),
    total(of('Collaboration / Participant Contributions', `${count} action`)) -
      total(of('Collaboration / Participant Contributions', `Author ${count} action`)),
  ],
};

function total(counts: readonly string[]): number {
  return counts.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
}

/** The name of each place that a figure has, for `met`. */
function everyPlace(): string[] {
  return Object.entries(places).flatMap(([name, where]) => where.map((place) => `${name}: ${place.join(' ')}`));
}

/** Figures that are shown differently in two places, in words; adds the places in which a figure was found to `met`. */
function disagreements(texts: DeepDiveText, met: Set<string>): string[] {
  const of = (card: string, pattern: string) =>
    [...textIn(card).matchAll(new RegExp(pattern, 'g'))].map((match) => match[1] ?? '');
  const textIn = (card: string) => {
    if (card !== 'Timeline / Where') return texts.get(card) ?? '';
    // Its title is a figure, in full words.
    const [title = '', text = ''] = [...texts].find(([name]) => name.startsWith(card)) ?? [];
    const words = title.slice(card.length).replace('minutes', 'min').replace('hours', 'h').replace('days', 'd');
    return `${words.trim()} ${text}`;
  };
  const found: string[] = [];
  const compare = (name: string, shown: readonly unknown[]) => {
    if (new Set(shown.map((value) => JSON.stringify(value))).size > 1) found.push(`${name}: ${JSON.stringify(shown)}`);
  };
  for (const [name, where] of Object.entries(places)) {
    const shown = where.flatMap((place) => {
      const [first] = of(...place);
      if (first !== undefined) met.add(`${name}: ${place.join(' ')}`);
      return first === undefined ? [] : [first];
    });
    compare(name, shown);
  }
  for (const [name, parts] of Object.entries(sums)) compare(`sum of ${name}`, parts(of));
  return found;
}

/** A browser's worth of a session: asks with its cookie, and connects and syncs a repository. */
async function signIn(product: RunningProduct, login: string) {
  const origin = { origin: product.url, 'content-type': 'application/json' };
  const signedIn = await fetch(`${product.url}/auth/token`, {
    method: 'POST',
    headers: origin,
    body: JSON.stringify({ token: `ghp_${login}` }),
  });
  expect(signedIn.status).toBe(200);
  const user = (await signedIn.json()) as User;
  const cookie = signedIn.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
  const headers = { ...origin, cookie };
  const get = async <Answer>(path: string) =>
    (await (await fetch(`${product.url}${path}`, { headers })).json()) as Answer;
  const connect = async (repository: string) => {
    const [owner, name] = repository.split('/');
    const body = JSON.stringify({ owner, name });
    const { id } = (await (await fetch(`${product.url}/api/repos`, { method: 'POST', headers, body })).json()) as {
      id: number;
    };
    const full = JSON.stringify({ repoId: id, mode: 'full' });
    await fetch(`${product.url}/api/sync-repo-complete`, { method: 'POST', headers, body: full });
    await expect
      .poll(async () => (await get<{ status: string }>(`/api/sync-repo-complete?repoId=${id}`)).status, {
        timeout: 900_000,
        interval: 500,
      })
      .toBe('completed');
  };
  return { user, get, connect };
}

/** Which deep dives of a repository are read: the one at `from`, newest first, and each `step`th after it. */
interface Steps {
  readonly step: number;
  readonly from: number;
}
const EVERY_ONE: Steps = { step: 1, from: 0 };
/** A repository's are drawn for minutes: each run takes other ones, and `DEEP_DIVE_STEP=1` all of them. */
const STEP = Number(process.env.DEEP_DIVE_STEP ?? 16);

/** Reads deep dives of a repository and returns what disagrees, where figures were found, and how many were read. */
async function walk(product: RunningProduct, login: string, repository: string, { step, from } = EVERY_ONE) {
  const { user, get, connect } = await signIn(product, login);
  await connect(repository);
  const read = await deepDiveReader(user);
  const met = new Set<string>();
  const wrong: string[] = [];
  let deepDives = 0;
  const compare = async ({ repo_full_name, pr_number }: PullRequestListItem) => {
    const detail = await get<PullRequestDetail>(`/api/pr/${repo_full_name}/${pr_number}`);
    deepDives += 1;
    for (const words of disagreements(read(detail), met)) wrong.push(`${repo_full_name}#${pr_number} ${words}`);
  };
  for (let offset = 0, more = true; more; offset += 500) {
    const { prs, hasMore } = await get<PullRequestList>(`/api/prs?limit=500&offset=${offset}`);
    more = hasMore;
    // Some are on their way while one is drawn.
    const left = prs.filter((_, at) => (offset + at) % step === from).values();
    const walkOn = async () => {
      for (const one of left) await compare(one);
    };
    await Promise.all([walkOn(), walkOn(), walkOn(), walkOn()]);
  }
  return { wrong, met, deepDives };
}

describe('every figure that stands on two tabs is the same on both', () => {
  let product: RunningProduct | undefined;
  afterEach(async () => {
    await product?.stop();
  });

  it('in deep dives of every kind, and each figure is found on each of its tabs', async () => {
    product = await startDeepDiveProduct();
    const { wrong, met } = await walk(product, 'mona', TEAM_REPOSITORY);

    expect(wrong).toEqual([]);
    expect(everyPlace().filter((place) => !met.has(place))).toEqual([]);
  });

  it('in the cases that real repositories are odd by', async () => {
    product = await startProduct({ world: 'awkward' });
    const { wrong, deepDives } = await walk(product, 'octo', 'odd/cases');

    expect(wrong).toEqual([]);
    expect(deepDives).toBeGreaterThan(20);
  });
});

describe.runIf(isRecorded)('it is the same on both in recorded repositories, too', () => {
  let product: RunningProduct;
  beforeAll(async () => {
    product = await startProduct({ world: 'recorded', data: recordingsFolder });
  });
  afterAll(() => product?.stop());

  it.each([
    { repository: 'bitcoin-core/gui', login: 'hebasto', count: 537, step: Math.min(STEP, 2) },
    { repository: 'rust-lang/cargo', login: 'weihanglo', count: 8_750, step: STEP },
  ])(
    'in the deep dives of $repository, one in $step of them a run',
    async ({ repository, login, count, step }) => {
      const from = Math.floor(Math.random() * step);
      const { wrong, deepDives } = await walk(product, login, repository, { step, from });

      expect(wrong).toEqual([]);
      expect(deepDives).toBe(Math.ceil((count - from) / step));
    },
    1_800_000,
  );
});
