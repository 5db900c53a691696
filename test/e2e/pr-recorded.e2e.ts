import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { isRecorded, recordedRows, recordingsFolder } from '../support/recordings.ts';
import { openPage, startBrowser } from './support/browser.ts';

if (!isRecorded) {
  console.error(
    `\n${'!'.repeat(80)}\nThe recorded data is not there: the deep dive on it is LEFT OUT.\n${'!'.repeat(80)}\n`,
  );
}

/** What the recording says of one pull request, as far as it is reckoned with here. */
interface Recorded {
  readonly number: number;
  readonly title: string;
  readonly author_login: string | null;
  readonly state: string;
  readonly created_at: string;
  readonly merged_at: string | null;
  readonly closed_at: string | null;
  readonly additions: number;
  readonly deletions: number;
  readonly changed_files: number;
  readonly commits_count: number;
  readonly reviews: readonly Review[];
  readonly comments: readonly {
    readonly kind: 'issue' | 'review';
    readonly review_id?: number;
    readonly in_reply_to_id?: number | null;
  }[];
  readonly events: readonly { readonly event: string }[];
}
interface Review {
  readonly id: number;
  readonly reviewer: string | null;
  readonly state: string;
  readonly submitted_at: string;
  readonly body_length: number;
}

/**
 * Deletions only; 1,298 days and a dismissed approval; reopened five times; merged unreviewed within minutes; every review state; a deleted
 * author; 136 force pushes; the most comments.
 */
const NUMBERS = [6, 37, 196, 377, 471, 248, 650, 692];

describe.runIf(isRecorded)('the deep dive on recorded pull requests', () => {
  let product: RunningProduct;
  let browser: Browser;
  let page: Page;
  const recorded = new Map<number, Recorded>();
  beforeAll(async () => {
    for (const pull of recordedRows<Recorded>('bitcoin-core/gui')) recorded.set(pull.number, pull);
    product = await startProduct({ world: 'recorded', data: recordingsFolder });
    browser = await startBrowser();
    page = await openPage(browser, product.url);
    const headers = { origin: product.url };
    await page.request.post(`${product.url}/auth/token`, { headers, data: { token: 'ghp_hebasto' } });
    const data = { owner: 'bitcoin-core', name: 'gui' };
    expect((await page.request.post(`${product.url}/api/repos`, { headers, data })).status()).toBe(201);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const words = (name: string) =>
    expect.poll(async () => (await page.getByRole('region', { name }).innerText()).replaceAll(/\s+/g, ' '));

  it.each(NUMBERS)('#%i shows what can be reckoned from the recording alone', async (number) => {
    const pull = recorded.get(number)!;
    const count = (amount: number) => amount.toLocaleString('en-US');
    await page.goto(`/pr/bitcoin-core/gui/${number}`);
    await page.getByRole('heading', { level: 1, name: pull.title, exact: true }).waitFor();

    await words('Key figures').toContain(
      `PR Size +${count(pull.additions)} −${count(pull.deletions)} ${count(pull.changed_files)} file`,
    );
    const end = pull.merged_at ?? pull.closed_at ?? new Date().toISOString();
    const soFar = pull.merged_at !== null ? '' : pull.closed_at !== null ? ' to the close' : ' so far';
    await words('Key figures').toContain(`Cycle Time ${shownHours(pull.created_at, end)}${soFar} vs team p50: N/A`);
    const comments = pull.comments.filter(({ kind }) => kind === 'issue').length;
    const controls = page.getByRole('radiogroup', { name: 'Kind of event' });
    if (comments > 0) await expect.poll(() => controls.getByText(`Comments ${count(comments)}`).count()).toBe(1);
    const reopened = pull.events.filter(({ event }) => event === 'reopened').length;
    await expect.poll(() => page.getByText('reopened it').count()).toBe(reopened);

    const reviews = pull.reviews.filter((review) => isCounting(review, pull));
    await page.goto(`/pr/bitcoin-core/gui/${number}?tab=reviews`);
    await words('Review figures').toContain(
      `Approvals ${reviews.filter(({ state }) => state === 'approved').length} of ${reviews.length} review`,
    );
    await words('Review History').toContain(`Review History ${reviews.length} review`);

    await page.goto(`/pr/bitcoin-core/gui/${number}?tab=code`);
    await words('Commits').toMatch(new RegExp(`^Commits ${count(pull.commits_count)} `));
  });
});

/** A duration as the page writes it, from two instants. */
function shownHours(from: string, to: string): string {
  const hours = (Date.parse(to) - Date.parse(from)) / 3_600_000;
  if (hours < 1) return `${Math.min(59, Math.round(hours * 60))} min`;
  if (hours < 48) return `${hours.toFixed(1)} h`;
  return `${(hours / 24).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} d`;
}

/** By a person who is not the author, before the end, and more than answers in threads. */
function isCounting({ id, reviewer, state, submitted_at, body_length }: Review, pull: Recorded): boolean {
  if (submitted_at < pull.created_at || submitted_at > (pull.merged_at ?? pull.closed_at ?? submitted_at)) return false;
  if (reviewer === null || reviewer === pull.author_login || reviewer === 'DrahtBot') return false;
  const inline = pull.comments.filter(({ review_id }) => review_id === id);
  const isReply = state === 'commented' && body_length === 0 && inline.length > 0;
  return !(isReply && inline.every(({ in_reply_to_id }) => in_reply_to_id != null));
}
