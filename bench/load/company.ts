import { setTimeout as pause } from 'node:timers/promises';
import type { RepositoryImport } from '#contract/connecting.ts';
import type { Contributor } from '#contract/contributors.ts';
import type { PullRequestListItem } from '#contract/pull-requests.ts';
import type { SyncResponse } from '#contract/sync.ts';
import type { Sights } from './people.ts';

const TRIES = 10;

/** Calls of somebody signed in, outside of what is measured. */
export interface Session {
  readonly cookie: string;
  /** @throws Error where the answer is no success */
  ask<T>(method: string, path: string, body?: object): Promise<T>;
}

export async function signIn(url: string, login: string): Promise<Session> {
  let cookie = '';
  const send = (method: string, path: string, body?: object) =>
    fetch(new URL(path, url), {
      method,
      headers: { origin: url, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    let answer = await send(method, path, body);
    // A busy server asks for some patience, which browsers have, too.
    for (let tries = 1; answer.status === 503 && tries < TRIES; tries += 1) {
      await pause(5000);
      answer = await send(method, path, body);
    }
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${login}: ${method} ${path}: ${answer.status} ${text}`);
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return JSON.parse(text) as T;
  };
  await ask('POST', '/auth/token', { token: `ghp_${login}` });
  return { cookie, ask };
}

/** Connects repositories, by their full names; imports them with `sync`, and returns when all is there, or at the end. */
export async function connect(
  session: Session,
  full_names: readonly string[],
  sync: boolean,
  end?: AbortSignal,
): Promise<void> {
  const repositories = full_names.map((full_name) => {
    const [owner, name] = full_name.split('/');
    return { owner, name };
  });
  await session.ask('POST', '/api/repos/bulk', { repositories, sync });
  for (;;) {
    const imports = await session.ask<RepositoryImport[]>('GET', '/api/repos/bulk');
    const failed = imports.flatMap((one) => one.failed);
    if (failed.length > 0) throw new Error(`Not connected: ${JSON.stringify(failed[0])}`);
    if (imports.every(({ state }) => state === 'done') || end?.aborted) return;
    await pause(500);
  }
}

/** Pull requests and people to look at. */
export async function sightsOf({ ask }: Session): Promise<Sights> {
  const { prs } = await ask<{ prs: PullRequestListItem[] }>('GET', '/api/prs?limit=500');
  const contributors = await ask<Contributor[]>('GET', '/api/contributors');
  return {
    pull_requests: prs.map(({ repo_full_name, pr_number }) => `${repo_full_name}/${pr_number}`),
    contributors: contributors.map(({ username }) => username),
  };
}

/** Imports repositories, and reads all of them again from the beginning, over and over until the end. Returns how many pull requests that were. */
export async function importUntil(session: Session, full_names: readonly string[], end: AbortSignal): Promise<number> {
  await connect(session, full_names, true, end);
  const all = await session.ask<{ id: number; full_name: string }[]>('GET', '/api/repositories');
  const ids = all.filter(({ full_name }) => full_names.includes(full_name)).map(({ id }) => id);
  const read = async (id: number): Promise<number> => {
    for (;;) {
      const path = `/api/sync-repo-complete?repoId=${id}`;
      const { status, imported_prs, error } = await session.ask<SyncResponse>('GET', path);
      if (status === 'completed' || end.aborted) return imported_prs;
      if (status === 'failed' || status === 'cancelled') throw new Error(`The import ended ${status}: ${error}`);
      await pause(1000);
    }
  };
  let pull_requests = 0;
  for (let first = true; ; first = false) {
    if (!first)
      for (const repoId of ids) await session.ask('POST', '/api/sync-repo-complete', { repoId, mode: 'full' });
    for (const id of ids) pull_requests += await read(id);
    if (end.aborted) return pull_requests;
  }
}
