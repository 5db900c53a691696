import { it } from 'vitest';
import { startTeamProduct } from './support/team.ts';
it('x', async () => {
  const product = await startTeamProduct({ LOG_LEVEL: 'info' });
  const headers = { origin: product.url, 'content-type': 'application/json' };
  const a = await fetch(`${product.url}/auth/token`, { method: 'POST', headers, body: JSON.stringify({ token: 'ghp_mona' }) });
  const cookie = a.headers.getSetCookie().map((c) => c.split(';')[0]).join('; ');
  const c = await fetch(`${product.url}/api/repos`, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify({ owner: 'octo-org', name: 'work' }) });
  const { id } = (await c.json()) as { id: number };
  await fetch(`${product.url}/api/sync-repo-complete`, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify({ repoId: id, mode: 'full' }) });
  for (let i = 0; i < 12; i++) {
    await new Promise((l) => setTimeout(l, 1000));
    console.log(await (await fetch(`${product.url}/api/sync-repo-complete?repoId=${id}`, { headers: { cookie } })).text());
  }
  await product.stop();
});
