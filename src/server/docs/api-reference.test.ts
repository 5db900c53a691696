import { describe, expect, it } from 'vitest';
import { errorsOfCall } from '#contract/call-errors.ts';
import { endpoints } from '#contract/endpoints.ts';
import { openApiDocument } from '../http/openapi.ts';
import { anchorOfCall, apiReference } from './api-reference.ts';

describe('the API reference', () => {
  const document = openApiDocument('https://prs.example');
  const page = apiReference(document, () => undefined);
  const operations = Object.values(document.paths).flatMap((each) => Object.values(each));
  const sectionOf = (anchor: string) =>
    page.slice(page.indexOf(`<section class="call" id="${anchor}"`)).split('</section>')[0] ?? '';

  it('is made of the document that the server gives, which is described once', () => {
    expect(openApiDocument('https://prs.example')).toBe(document);
    expect(openApiDocument('https://other.example').servers).toEqual([{ url: 'https://other.example' }]);
  });

  it('has every call of the contract, by an anchor of its own', () => {
    const anchors = Object.values(endpoints).map(({ method, path }) => anchorOfCall(method, path));
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(operations).toHaveLength(anchors.length);
    expect(anchors.filter((anchor) => sectionOf(anchor) === '')).toEqual([]);
    expect(anchors.filter((anchor) => page.split(`href="#${anchor}"`).length < 3)).toEqual([]);
  });

  it('says of every call what it answers, and of every parameter what it means', () => {
    expect(operations.filter(({ summary }) => summary.trim() === '')).toEqual([]);
    const unsaid = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description = '' }) => description === '').map(({ name }) => `${operationId} ${name}`),
    );
    expect(unsaid).toEqual([]);
    const texts = page.replace(/<(code|pre)[\s\S]*?<\/\1>|data-words="[^"]*"/g, '');
    expect(texts.match(/.{0,60}(undefined|\[object|`).{0,60}/g)).toBeNull();
  });

  it('draws types, limits, units, and what can be null', () => {
    const list = sectionOf('get-api-prs');
    expect(list).toMatch(/<code>limit<\/code> <span class="type">whole number, 1 to 500 · default <code>50<\/code>/);
    expect(list).toMatch(/<code>waiting_since<\/code> <span class="type">instant · or null/);
    expect(list).toContain('<a href="#get-api-teams"><code>GET /api/teams</code></a>');
    const one = sectionOf('get-api-pr-repoowner-reponame-prnumber');
    expect(one).toMatch(/<code>time_to_merge<\/code> <span class="type">hours · or null/);
    expect(one).toContain('https://prs.example/api/pr/REPO_OWNER/REPO_NAME/PR_NUMBER');
    expect(one).toMatch(/<td>404<\/td><td><code>not_found<\/code>/);
    expect(sectionOf('get-api-trends')).toMatch(/any of <code>opened<\/code>.*with commas between/);
    expect(sectionOf('get-api-trends')).toContain('/api/trends?figure=opened');
  });

  it('says who may make a call, and how', () => {
    expect(sectionOf('get-api-my-work')).toContain('<span class="chip">read:mine</span>');
    expect(sectionOf('get-api-explain-metric')).toMatch(/read:figures<\/span> or <span class="chip">read:mine/);
    expect(sectionOf('post-api-tokens')).toContain('session only');
    expect(sectionOf('post-api-tokens')).not.toContain('curl');
    expect(sectionOf('get-auth-options')).toContain('<span class="chip">open</span>');
    expect(sectionOf('get-auth-options')).toContain('curl &quot;https://prs.example/auth/options&quot;');
  });

  it('draws every further form of an answer and its example', () => {
    const [operation] = operations;
    const content = {
      'application/json': { schema: { type: 'object', properties: { a: { type: 'null' } } }, example: { a: null } },
      'text/csv': { schema: { type: 'string', description: 'A row each.' } },
    };
    const of = { ...operation!, security: [{ token: ['read:figures'] }], responses: { 200: { content } } };
    const drawn = apiReference({ ...document, paths: { '/api/x': { get: of } } }, () => undefined);
    expect(drawn).toContain('text/csv · text');
    expect(drawn).toContain('A row each.');
    expect(drawn).toContain('-H &quot;Accept: text/csv&quot;');
    expect(drawn).toContain('&quot;a&quot;: null');
  });

  it('says in which types a file is sent', () => {
    const section = sectionOf('post-api-contributors-export');
    for (const type of ['text/csv', 'application/json', 'application/pdf'])
      expect(section).toContain(`<summary>Answer 200 <span>${type} · file</span></summary>`);
  });

  it('forbids no names that are added to an answer', () => {
    expect(JSON.stringify([operations.map(({ responses }) => responses), document.components])).not.toContain(
      '"additionalProperties":false',
    );
  });

  it('has the failures of the host with the calls that ask it, in the words of sign-in where that asks', () => {
    for (const call of [
      'getPullRequest',
      'listJoinableRepositories',
      'withdrawCredit',
      'makeGroup',
      'saveMember',
    ] as const)
      expect(errorsOfCall(call), call).toEqual(
        expect.arrayContaining(['token_rejected', 'host_rate_limited', 'host_failed']),
      );
    for (const call of ['signInWithToken', 'signInToDemo'] as const) {
      expect(errorsOfCall(call), call).toEqual(expect.arrayContaining(['host_unavailable', 'host_busy']));
      expect(errorsOfCall(call), call).not.toContain('host_failed');
    }
    for (const call of ['signInToDemo', 'getDemoInbox'] as const)
      expect(errorsOfCall(call), call).toContain('not_found');
  });
});
