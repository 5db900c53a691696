import type { Answer } from './http.ts';
import type { WebRoute } from './oauth.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { hashOf } from './random.ts';
import { fullName } from './state/repository.ts';
import type { WorldState } from './state/world-state.ts';

const NOT_FOUND: Answer = {
  status: 404,
  body: htmlPage('Not found', '<h1>Not found</h1><p>There is nothing here that everyone may see.</p>'),
};

/** The few pages a browser may be led to: pictures of accounts and a plain page for each public repository and pull request. */
export function pageRoutes(host: { readonly world: () => WorldState }): readonly WebRoute[] {
  return [
    {
      method: 'GET',
      pattern: '/',
      handle: () => {
        const world = host.world();
        const rows = [...world.repositories.values()]
          .filter((repository) => !repository.private && !repository.deleted)
          .map((repository) => {
            const name = escapeHtml(fullName(repository));
            return `<li><a href="/${name}">${name}</a> <small>${repository.byNumber.size} pull requests</small></li>`;
          });
        const body = `<h1>Simulated host</h1><p>The world '${escapeHtml(world.name)}'.</p><ul>${rows.join('')}</ul>`;
        return { status: 200, body: htmlPage('Simulated host', body) };
      },
    },
    {
      method: 'GET',
      pattern: '/avatars/:id',
      handle: (_ask, { id = '' }) => ({
        status: 200,
        headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
        body: identicon(id),
      }),
    },
    {
      method: 'GET',
      pattern: '/:owner/:name',
      handle: (_ask, { owner = '', name = '' }) => {
        const repository = host.world().repositoryNamed(owner, name);
        if (repository === null || repository.private) return NOT_FOUND;
        const full = escapeHtml(fullName(repository));
        const rows = repository.byUpdate
          .all()
          .slice(-50)
          .reverse()
          .map(({ number, title }) => `<li><a href="/${full}/pull/${number}">#${number}</a> ${escapeHtml(title)}</li>`);
        return { status: 200, body: htmlPage(full, `<h1>${full}</h1><ul>${rows.join('')}</ul>`) };
      },
    },
    {
      method: 'GET',
      pattern: '/:owner/:name/pull/:number',
      handle: (_ask, { owner = '', name = '', number = '' }) => {
        const repository = host.world().repositoryNamed(owner, name);
        const pull = repository?.byNumber.get(Number(number));
        if (repository == null || repository.private || pull === undefined) return NOT_FOUND;
        const title = `${pull.title} #${pull.number}`;
        const body = `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(fullName(repository))} · ${pull.draft && pull.state === 'OPEN' ? 'draft' : pull.state.toLowerCase()} · by ${escapeHtml(pull.author?.login ?? 'ghost')}</p>
<p>+${pull.additions} −${pull.deletions} in ${pull.changedFiles} files · ${pull.commits.length} commits · ${pull.reviews.length} reviews</p>`;
        return { status: 200, body: htmlPage(title, body) };
      },
    },
  ];
}

/** A symmetric pattern that stays the same for an id. */
function identicon(id: string): string {
  const hash = hashOf(`avatar/${id}`);
  const cells: string[] = [];
  for (let column = 0; column < 3; column += 1) {
    for (let row = 0; row < 5; row += 1) {
      if (((hash >>> (column * 5 + row)) & 1) === 0) continue;
      for (const x of new Set([column, 4 - column])) cells.push(`<rect x="${x}" y="${row}" width="1" height="1"/>`);
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7" width="80" height="80"><rect x="-1" y="-1" width="7" height="7" fill="#eef1f4"/><g fill="hsl(${hash % 360} 55% 50%)">${cells.join('')}</g></svg>`;
}
