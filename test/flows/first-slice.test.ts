import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PullRequestList } from '../../src/contract/pull-requests.ts';
import type { AddedRepository } from '../../src/contract/repositories.ts';
import type { SyncResponse } from '../../src/contract/sync.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { isRecorded, recordedRows, recordingsFolder } from '../support/recordings.ts';

if (!isRecorded)
  console.error(`\n${'!'.repeat(80)}\nNo recorded data: the first slice over it is LEFT OUT.\n${'!'.repeat(80)}\n`);

/**
 * Host and product as processes of their own, met only as a browser meets them: by redirects, cookies and calls. The smaller recording is
 * imported on both databases by sync-recorded.test.ts.
 */
describe.runIf(isRecorded)('from sign-in to every pull request', () => {
  let product: RunningProduct;
  let cookie: string;

  beforeAll(async () => {
    product = await startProduct({ world: 'recorded', data: recordingsFolder }, { DATABASE_URL: undefined });
  });
  afterAll(async () => {
    await product.stop();
  });

  const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${product.url}${path}`, {
      method,
      headers: { cookie, origin: product.url, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };

  async function connectAndSync(owner: string, name: string): Promise<SyncResponse> {
    const { id } = await call<AddedRepository>('POST', '/api/repos', { owner, name });
    await call('POST', '/api/sync-repo-complete', { repoId: id, owner, name, mode: 'full' });
    for (;;) {
      const sync = await call<SyncResponse>('GET', `/api/sync-repo-complete?repoId=${id}`);
      if (sync.is_complete || sync.status === 'failed') return sync;
      await new Promise((later) => setTimeout(later, 500));
    }
  }

  /** Every number that the list gives when it is read page by page. */
  async function listed(fullName: string): Promise<number[]> {
    const numbers: number[] = [];
    for (let offset = 0; ; offset += 500) {
      const query = `limit=500&offset=${offset}&sortBy=created_at&sortOrder=ASC&q=${encodeURIComponent(fullName)}`;
      const { prs, hasMore } = await call<PullRequestList>('GET', `/api/prs?${query}`);
      numbers.push(...prs.filter((pr) => pr.repo_full_name === fullName).map((pr) => pr.pr_number));
      if (!hasMore) return numbers.sort((one, other) => one - other);
    }
  }

  it('signs in by OAuth', async () => {
    const start = await fetch(`${product.url}/auth/login`, { redirect: 'manual' });
    const asked = new URL(start.headers.get('location') ?? '');
    const decision = await fetch(`${asked.origin}${asked.pathname}`, {
      method: 'POST',
      body: new URLSearchParams([...asked.searchParams, ['login', 'hebasto']]),
      redirect: 'manual',
    });
    const stateCookie = (start.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const back = await fetch(decision.headers.get('location') ?? '', {
      headers: { cookie: stateCookie },
      redirect: 'manual',
    });
    const session = back.headers.getSetCookie().find((one) => one.startsWith('session='));
    cookie = session?.split(';')[0] ?? '';

    expect(back.headers.get('location')).toBe('/dashboard');
    expect(await call('GET', '/auth/me')).toMatchObject({ github_username: 'hebasto' });
  });

  it('finds all 8,750 pull requests of rust-lang/cargo', { timeout: 600_000 }, async () => {
    const sync = await connectAndSync('rust-lang', 'cargo');

    expect(sync).toMatchObject({ status: 'completed', imported_prs: 8750, skipped: [] });
    const recorded = recordedRows<{ number: number }>('rust-lang/cargo').map(({ number }) => number);
    expect(await listed('rust-lang/cargo')).toEqual(recorded.sort((one, other) => one - other));
  });
});
