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
        body: portrait(id),
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

const skins = ['#f2d3bd', '#e6bd9f', '#d3a07c', '#b07f5e', '#8a5d43', '#6d4a38'];
const hairs = ['#2f2a2c', '#4a352c', '#7a5236', '#a9784a', '#8d8a8c', '#5a2e2a'];
const shirts = ['#5f7394', '#7a6a8c', '#5f8478', '#8c7a5f', '#8a6670', '#66707c'];
const grounds = ['#dfe5ee', '#e8e1ec', '#deeae5', '#efe7da', '#f0e0e0', '#e3e6ea'];

/** A calm drawn portrait that stays the same for an id. */
function portrait(id: string): string {
  const hash = hashOf(`avatar/${id}`);
  const pick = (from: readonly string[], shift: number) => from[(hash >>> shift) % from.length]!;
  const hair = pick(hairs, 5);
  const cap = `<path d="M10.5 18a9.5 10 0 0 1 19 0q-2-5.5-9.5-5.5T10.5 18z" fill="${hair}"/>`;
  const [behind, before] = [
    ['', cap],
    [`<path d="M9.5 19a10.5 11 0 0 1 21 0v9h-21z" fill="${hair}"/>`, cap],
    [`<circle cx="20" cy="6.5" r="4" fill="${hair}"/>`, cap],
    ['', `<path d="M11 16q0-8.5 9-8.5t9 8.5q-2-4-4-4.5-8 2-14 4.5z" fill="${hair}"/>`],
  ][(hash >>> 13) % 4]!;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="80" height="80"><rect width="40" height="40" fill="${pick(grounds, 17)}"/>${behind}<ellipse cx="20" cy="41" rx="14" ry="12" fill="${pick(shirts, 9)}"/><rect x="17" y="24" width="6" height="8" rx="3" fill="${pick(skins, 1)}"/><circle cx="20" cy="18" r="8.5" fill="${pick(skins, 1)}"/>${before}</svg>`;
}
