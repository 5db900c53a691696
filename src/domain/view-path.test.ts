import { describe, expect, it } from 'vitest';
import { LONGEST_PATH, pathFor, viewPathProblem } from './view-path.ts';

describe('an address that can be kept', () => {
  it.each([
    '/dashboard',
    '/prs?q=fix%20it&state=open',
    '/prs?q=fix it',
    '/prs?',
    '/trends?figure=size&split=base&repository=1,2&repository=3',
    '/contributors?q=%F0%9F%99%82',
    '/contributors/ada',
    '/contributor/ada',
    '/contributor/renovate%5Bbot%5D?period=90d',
    '/health?from=2026-01-01',
    '/teams',
    '/team/core',
    '/ai',
    `/prs?q=${'x'.repeat(LONGEST_PATH - 7)}`,
    '/prs?return_to=https://elsewhere.test',
  ])('is %s', (path) => {
    expect(viewPathProblem(path)).toBeNull();
  });

  it.each([
    ['', 'must begin with one /'],
    ['dashboard', 'must begin with one /'],
    [' /dashboard', 'must begin with one /'],
    ['https://elsewhere.test/dashboard', 'must begin with one /'],
    ['javascript:alert(1)', 'must begin with one /'],
    ['//elsewhere.test/dashboard', 'must begin with one /'],
    ['/\\elsewhere.test/dashboard', 'must begin with one /'],
    ['\\/elsewhere.test', 'must begin with one /'],
    [`/prs?q=${'x'.repeat(LONGEST_PATH - 6)}`, 'must not be longer than 2000 letters'],
    ['/\t/elsewhere.test', 'must not contain control characters'],
    ['/dashboard\n', 'must not contain control characters'],
    ['/dashboard\u0000', 'must not contain control characters'],
    ['/dashboard?q=a\u0085', 'must not contain control characters'],
    ['/dashboard?q=%00', 'must not contain control characters'],
    ['/dashboard?q=%0d%0aset-cookie:x', 'must not contain control characters'],
    ['/dashboard?%7f=1', 'must not contain control characters'],
    ['/dashboard%00', 'must not contain control characters'],
    ['/dashboard?q=%', 'must be a path and a query'],
    ['/dashboard?q=%ff', 'must be a path and a query'],
    ['/dashboard?q=\ud800', 'must be a path and a query'],
    ['/dashboard#part', 'must be a path and a query'],
  ])('is not %j', (path, problem) => {
    expect(viewPathProblem(path)).toBe(problem);
  });

  it.each([
    '/',
    '/settings',
    '/administration',
    '/api/prs',
    '/auth/logout',
    '/Dashboard',
    '/dashboard/',
    '/dashboard/../administration',
    '/dashboard/..;/administration',
    '/dashboard%2f..%2fadministration',
    '/%2e%2e/administration',
    '/%64ashboard',
    '/dashboard\\..\\administration',
    '/prs/1',
    '/pr/acme/web/1',
    '/contributor',
    '/contributor/',
    '/contributors/',
    '/contributor/..',
    '/contributor/.',
    '/contributor/%2e%2e',
    '/contributor/ada/..',
    '/contributor/ada%2f..%2f..%2fadministration',
    '/contributor/a%5Cb',
    '/contributor/a\\b',
    '/team/core/members',
    '/v/abc',
  ])('is not that of another screen, such as %j', (path) => {
    expect(viewPathProblem(path)).toBe('must be one of the screens that can be kept');
  });
});

describe('a kept address, as a reader gets it', () => {
  const reader = {
    sees: (what: string, id: string) => (what === 'repository' ? ['1', '2'] : ['7', '8']).includes(id),
    knows: (login: string) => login.toLowerCase() === 'ada',
    isMaker: false,
  };
  const maker = { ...reader, isMaker: true };

  it.each([
    ['/dashboard', '/dashboard'],
    ['/trends?repository=1&split=base', null],
    ['/trends?repository=1,2', null],
    ['/trends?repository=1%2C2&repository=2', null],
    ['/trends?repository=', null],
    ['/trends?repository=3', '/trends'],
    ['/trends?repository=3&split=base', '/trends?split=base'],
    ['/trends?repository=1,3,2&split=base', '/trends?repository=1,2&split=base'],
    ['/trends?repository=1%2C3', '/trends?repository=1'],
    ['/trends?repository=1&repository=3&repository=2', '/trends?repository=1&repository=2'],
    ['/trends?%72epository=3', '/trends'],
    ['/trends?repository=3,', '/trends'],
    ['/trends?repository=acme/web', '/trends'],
    ['/trends?repository=01', '/trends'],
    ['/trends?team=1', '/trends'],
    ['/prs?q=secret', '/prs'],
    ['/prs?q=a&q=b&state=open', '/prs?state=open'],
    ['/prs?%71=secret&state=open', '/prs?state=open'],
    ['/prs?q=a=b', '/prs'],
    ['/prs?q=', null],
    ['/prs?q', null],
    ['/prs?person=somebody', '/prs'],
    ['/trends?figure=opened&labels=secret%20project,bug', '/trends?figure=opened'],
    ['/trends?split=base&pinned=release/secret', '/trends?split=base'],
    ['/ai?beside=before&place=acme/secret', '/ai?beside=before'],
    ['/prs?state=open&credited_to=mona', '/prs?state=open'],
    ['/prs?state=open&credited_to=none', null],
    ['/contributor/ada?compare=grace&period=90d', '/contributor/ada?period=90d'],
    ['/contributor/ada?compare=*', null],
    ['/contributor/ada?compare=%2A&period=90d', null],
    ['/contributor/ada?compare=none', '/contributor/ada'],
    ['/ai?reviewer=secret-project-bot&beside=before', '/ai?beside=before'],
    ['/ai?reviewer=*', '/ai'],
    ['/contributor/Ada', null],
    ['/contributor/grace', '/contributors'],
    ['/contributors/grace', '/contributors'],
    ['/contributor/%67race?period=90d&repository=1', '/contributors?period=90d&repository=1'],
    ['/contributor/grace?repository=3&compare=ada', '/contributors'],
  ])('%s becomes %s for others', (path, theirs) => {
    const expected = theirs ?? path;
    expect(pathFor(path, reader)).toMatchObject({ path: expected, missing: expected !== path });
    expect(pathFor(expected, reader)).toEqual({ path: expected, missing: false, team_gone: false });
  });

  it('of one contributor leads to their screen, whichever way it is spelled', () => {
    const opened = { path: '/contributor/ada?period=90d', missing: false, team_gone: false };
    for (const whoever of [reader, maker]) expect(pathFor('/contributors/ada?period=90d', whoever)).toEqual(opened);
    expect(pathFor('/contributors/ada?repository=3', reader)).toMatchObject({
      path: '/contributor/ada',
      missing: true,
    });
    expect(pathFor('/contributors/grace', maker)).toMatchObject({ path: '/contributor/grace', missing: false });
  });

  it('keeps what the maker typed, not what they no longer see', () => {
    for (const typed of [
      '/prs?q=secret&person=x&labels=secret&place=acme/web&pinned=main',
      '/contributor/grace?compare=ada',
      '/ai?reviewer=secret-project-bot',
    ])
      expect(pathFor(typed, maker)).toEqual({ path: typed, missing: false, team_gone: false });
    const others = { path: '/prs?q=secret', missing: true, team_gone: false };
    expect(pathFor('/prs?q=secret&repository=3', maker)).toEqual(others);
  });

  it.each([
    ['/dashboard?team=7&team_as=reviewer', null],
    ['/trends?team=7,8', null],
    ['/team/7?period=90d', null],
    ['/dashboard?team=9', '/dashboard'],
    ['/dashboard?team=9&team_as=reviewer&repository=1', '/dashboard?repository=1'],
    ['/trends?team=7,9&team_as=reviewer', '/trends?team=7&team_as=reviewer'],
    ['/prs?asked=9&state=open', '/prs?state=open'],
    ['/teams?parent=9', '/teams'],
    ['/teams?teams=7,9&figure=opened', '/teams?teams=7&figure=opened'],
    ['/team/9', '/teams'],
    ['/team/9?repository=1', '/teams?repository=1'],
    ['/team/%39', '/teams'],
    ['/team/core', '/teams'],
    ['/team/', '/teams'],
  ])('%s names teams that are theirs alone, and says that others are gone', (path, theirs) => {
    for (const whoever of [reader, maker])
      expect(pathFor(path, whoever)).toEqual({
        path: theirs ?? path,
        missing: theirs !== null,
        team_gone: theirs !== null,
      });
  });
});
