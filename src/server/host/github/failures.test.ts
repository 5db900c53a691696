import { describe, expect, it } from 'vitest';
import type { HostErrorKind } from '../errors.ts';
import { type Answer, errorsOf, failureOf, failureOfObject } from './failures.ts';

const now = new Date('2026-11-21T10:00:00Z');
const inAMinute = new Date('2026-11-21T10:01:00Z');
const reset = new Date('2026-11-21T10:40:00Z');
const aSecondAfterReset = new Date('2026-11-21T10:40:01Z');
const spent = {
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(reset.getTime() / 1000),
};
const sso = 'https://github.com/orgs/acme/sso?authorization_request=A1';

const graphql = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  api: 'graphql',
  status: 200,
  headers: {},
  body,
  ...more,
});
const rest = (status: number, body: unknown, headers: Answer['headers'] = {}): Answer => ({
  api: 'rest',
  status,
  headers,
  body,
});
const errors = (...list: unknown[]) => ({ errors: list });

interface Case {
  name: string;
  answer: Answer;
  kind: HostErrorKind;
  retry_at?: Date;
  link?: string;
  says?: string;
}

const secondary = {
  message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
};
const timeout = {
  message:
    'Something went wrong while executing your query on 2026-11-21T10:00:00Z. This may be the result of a timeout, or it could be a GitHub bug.',
};
const scopes = {
  type: 'INSUFFICIENT_SCOPES',
  locations: [{ line: 51, column: 17 }],
  message: "Your token has not been granted the required scopes. The 'id' field requires one of: ['read:org'].",
};
const saml = {
  type: 'FORBIDDEN',
  path: ['repository', 'pullRequest'],
  extensions: { saml_failure: true },
  message: 'Resource protected by organization SAML enforcement.',
};
const blocked = {
  message: 'Repository access blocked',
  block: { reason: 'dmca', html_url: 'https://github.com/github/dmca/1' },
};

const cases: Case[] = [
  {
    name: 'the primary limit of GraphQL',
    answer: graphql(errors({ type: 'RATE_LIMITED', message: 'API rate limit exceeded for user ID 1.' }), {
      headers: spent,
    }),
    kind: 'rate_limited',
    retry_at: aSecondAfterReset,
  },
  {
    name: 'the primary limit of GraphQL in its newer words',
    answer: graphql(
      errors({
        type: 'RATE_LIMIT',
        code: 'graphql_rate_limit',
        message: 'API rate limit already exceeded for user ID 1.',
      }),
      { headers: spent },
    ),
    kind: 'rate_limited',
    retry_at: aSecondAfterReset,
  },
  {
    name: 'the primary limit without a type',
    answer: graphql(errors({ message: 'API rate limit exceeded for user ID 1.' })),
    kind: 'rate_limited',
    retry_at: inAMinute,
  },
  {
    name: 'the primary limit of REST as 403',
    answer: rest(403, { message: 'API rate limit exceeded for user ID 1.' }, spent),
    kind: 'rate_limited',
    retry_at: aSecondAfterReset,
  },
  {
    name: 'the primary limit of REST as 429',
    answer: rest(429, {}, spent),
    kind: 'rate_limited',
    retry_at: aSecondAfterReset,
  },
  {
    name: 'the secondary limit of GraphQL with status 200',
    answer: graphql(secondary, { headers: { 'retry-after': '30' } }),
    kind: 'secondary_limit',
    retry_at: new Date('2026-11-21T10:00:30Z'),
  },
  {
    name: 'the secondary limit of GraphQL with status 403 and no date',
    answer: graphql(secondary, { status: 403 }),
    kind: 'secondary_limit',
    retry_at: inAMinute,
  },
  {
    name: 'the secondary limit inside the errors of GraphQL',
    answer: graphql(errors(secondary)),
    kind: 'secondary_limit',
    retry_at: inAMinute,
  },
  {
    name: 'the secondary limit when the quota is spent as well',
    answer: rest(403, secondary, spent),
    kind: 'secondary_limit',
    retry_at: aSecondAfterReset,
  },
  {
    name: 'the secondary limit until a date',
    answer: rest(429, secondary, { 'retry-after': 'Sat, 21 Nov 2026 10:05:00 GMT' }),
    kind: 'secondary_limit',
    retry_at: new Date('2026-11-21T10:05:00Z'),
  },
  {
    name: '403 with Retry-After and no other word',
    answer: rest(403, {}, { 'retry-after': '5' }),
    kind: 'secondary_limit',
    retry_at: new Date('2026-11-21T10:00:05Z'),
  },
  { name: '429 without a word', answer: rest(429, ''), kind: 'secondary_limit', retry_at: inAMinute },
  {
    name: 'a gateway time-out as a page',
    answer: graphql('<html>502 Bad Gateway</html>', { status: 502 }),
    kind: 'too_heavy',
  },
  { name: 'a gateway time-out as JSON', answer: graphql({ message: 'Timeout' }, { status: 504 }), kind: 'too_heavy' },
  { name: 'a time-out inside the host', answer: graphql({ data: null, ...errors(timeout) }), kind: 'too_heavy' },
  {
    name: 'a time-out inside the host with status 502',
    answer: graphql(errors(timeout), { status: 502 }),
    kind: 'too_heavy',
  },
  {
    name: 'a resource limit with part of the data',
    answer: graphql({
      data: { repository: { pullRequests: { nodes: [null] } } },
      ...errors({
        type: 'RESOURCE_LIMITS_EXCEEDED',
        path: ['repository', 'pullRequests', 'nodes', 3, 'reviews'],
        message: 'Resource limits for this query exceeded.',
      }),
    }),
    kind: 'too_heavy',
  },
  { name: 'a broken gateway of REST', answer: rest(502, '<html>'), kind: 'unavailable' },
  { name: 'a server error', answer: graphql({ message: 'Server Error' }, { status: 500 }), kind: 'unavailable' },
  {
    name: 'maintenance with a date',
    answer: rest(503, {}, { 'retry-after': '60' }),
    kind: 'unavailable',
    retry_at: inAMinute,
  },
  {
    name: 'JSON that breaks off',
    answer: graphql('{"data":{"repository":{"pullReq'),
    kind: 'unavailable',
    says: 'incomplete',
  },
  { name: 'an empty answer', answer: graphql(''), kind: 'unavailable' },
  {
    name: 'the node limit',
    answer: graphql(errors({ type: 'MAX_NODE_LIMIT_EXCEEDED', message: 'requests up to 510,000 possible nodes' })),
    kind: 'protocol',
    says: '510,000',
  },
  {
    name: 'a page that is too large',
    answer: graphql(
      errors({ type: 'EXCESSIVE_PAGINATION', path: ['organization', 'teams'], message: 'Requesting 101 records' }),
    ),
    kind: 'protocol',
  },
  {
    name: 'a field that an older server does not know',
    answer: graphql(
      errors({
        path: ['query', 'repository'],
        extensions: { code: 'undefinedField', typeName: 'PullRequest', fieldName: 'fullDatabaseId' },
        message: "Field 'fullDatabaseId' doesn't exist on type 'PullRequest'",
      }),
    ),
    kind: 'protocol',
    says: 'PullRequest.fullDatabaseId',
  },
  {
    name: 'an API version that is retired',
    answer: rest(410, { message: 'This version is no longer supported' }),
    kind: 'protocol',
    says: 'no longer supported',
  },
  {
    name: 'an unknown repository without data',
    answer: graphql(errors({ type: 'NOT_FOUND', path: ['repository'], message: 'no' })),
    kind: 'not_found',
  },
  ...['NOT_FOUND', 'FORBIDDEN'].map((type) => ({
    name: `${type} without data that is not the repository's own`,
    answer: graphql(errors({ type, path: ['repository', 'pullRequests'], message: 'no' })),
    kind: 'protocol' as const,
  })),
  ...[401, 403, 404, 451].flatMap((status) =>
    [
      { of: 'a page', body: '<!DOCTYPE html><title>Unicorn!</title>' },
      { of: 'nothing', body: '' },
      { of: 'JSON of something else', body: { error: 'no healthy upstream' } },
      { of: 'JSON that is no object', body: null },
    ].map(({ of, body }) => ({
      name: `${status} with ${of} instead of the API's answer`,
      answer: rest(status, body),
      kind: 'unavailable' as const,
    })),
  ),
  {
    name: 'a GraphQL endpoint that is not there',
    answer: graphql({ message: 'Not Found' }, { status: 404 }),
    kind: 'unavailable',
  },
  {
    name: 'a rate limit by its message alone',
    answer: rest(403, { message: 'You have exceeded a rate limit.' }),
    kind: 'rate_limited',
    retry_at: new Date(now.getTime() + 60_000),
  },
  { name: 'an unknown or hidden repository of REST', answer: rest(404, { message: 'Not Found' }), kind: 'not_found' },
  {
    name: 'single sign-on in GraphQL',
    answer: graphql(
      { data: { repository: { pullRequest: null } }, ...errors(saml) },
      { headers: { 'x-github-sso': `required; url=${sso}` } },
    ),
    kind: 'sso_required',
    link: sso,
  },
  {
    name: 'single sign-on in REST',
    answer: rest(
      403,
      { message: 'Resource protected by organization SAML enforcement.' },
      { 'x-github-sso': `required; url=${sso}` },
    ),
    kind: 'sso_required',
    link: sso,
  },
  { name: 'single sign-on without a link', answer: graphql({ data: {}, ...errors(saml) }), kind: 'sso_required' },
  { name: 'a scope that is missing', answer: graphql(errors(scopes)), kind: 'missing_scope', says: 'read:org' },
  {
    name: 'a scope that is missing in REST',
    answer: rest(403, { message: 'You need at least read:org scope or user scope to list your organizations.' }),
    kind: 'missing_scope',
  },
  {
    name: 'a token that is not accepted',
    answer: rest(401, { message: 'Bad credentials' }),
    kind: 'unauthorized',
    says: 'Sign in again',
  },
  {
    name: 'a token that GraphQL does not accept',
    answer: graphql({ message: 'Bad credentials' }, { status: 401 }),
    kind: 'unauthorized',
  },
  {
    name: 'a repository blocked by law',
    answer: rest(451, blocked),
    kind: 'blocked',
    link: 'https://github.com/github/dmca/1',
  },
  {
    name: 'a repository blocked for its terms',
    answer: rest(403, { ...blocked, block: { reason: 'tos', html_url: null } }),
    kind: 'blocked',
  },
  {
    name: 'what a token may not do',
    answer: rest(403, { message: 'Resource not accessible by integration' }),
    kind: 'forbidden',
    says: 'not accessible by integration',
  },
  {
    name: 'too many sign-ins that failed',
    answer: rest(403, { message: 'Maximum number of login attempts exceeded. Please try again later.' }),
    kind: 'secondary_limit',
    retry_at: inAMinute,
  },
  {
    name: 'what is not valid',
    answer: rest(422, { message: 'Validation Failed', errors: [{ resource: 'Hook', code: 'invalid', field: 'url' }] }),
    kind: 'refused',
    says: 'Validation Failed; url invalid',
  },
  {
    name: 'an unknown error without data',
    answer: graphql({ data: null, ...errors({ message: 'Hm.' }) }),
    kind: 'protocol',
    says: 'Hm.',
  },
  {
    name: 'an unknown error that does not say where',
    answer: graphql({ data: { viewer: {} }, ...errors({ message: 'Hm.' }) }),
    kind: 'protocol',
  },
  { name: 'an answer without data or errors', answer: graphql({}), kind: 'protocol' },
];

describe('the ways in which GitHub fails', () => {
  it.each(cases)('$name is $kind', ({ answer, kind, retry_at, link, says }) => {
    const failure = failureOf(answer, now, 'GitHub');

    expect(failure).toMatchObject({ kind, retry_at: retry_at ?? null, link: link ?? null, status: answer.status });
    expect(failure?.message).toMatch(/^[A-Z].*[.”]$/);
    if (says) expect(failure?.message).toContain(says);
  });

  it('a link that is no web page is not passed on to the browser', () => {
    const answer = rest(403, { message: 'SSO' }, { 'x-github-sso': 'required; url=javascript:alert(1)' });

    expect(failureOf(answer, now, 'GitHub')).toMatchObject({ kind: 'sso_required', link: null });
  });
});

describe('an object that is missing', () => {
  const error = (type: string | null, ...path: (string | number)[]) => ({
    ...{ type, path, message: 'Resource not accessible by personal access token' },
    ...{ code: null, extensions: null },
  });
  const checks = error('FORBIDDEN', 'repository', 'pullRequests', 'nodes', 0, 'statusCheckRollup', 'contexts');

  it.each([
    ['is not to be read', [error('FORBIDDEN', 'repository')], 'forbidden'],
    ['holds pull requests that are not to be read', [error('FORBIDDEN', 'repository', 'pullRequests')], 'forbidden'],
    ['holds such, among others', [checks, error('FORBIDDEN', 'part_2', 'allPullRequests')], 'forbidden'],
    ['is not there', [error('NOT_FOUND', 'repository')], 'not_found'],
    ['lacks something', [error('NOT_FOUND', 'repository', 'pullRequests')], 'protocol'],
    ['holds something further down that is not to be read', [checks], 'protocol'],
    ['also failed otherwise', [error('FORBIDDEN', 'repository', 'a'), error(null, 'repository', 'b')], 'protocol'],
    ['is missing without a word', [], 'protocol'],
  ])('because it %s', (_, all, kind) => {
    expect(failureOfObject(all, 'repository acme/web', 'GitHub')).toMatchObject({ kind });
  });
});

describe('answers that can be used', () => {
  it.each([
    ['data alone', graphql({ data: { viewer: { login: 'mona' } } })],
    ['data that used up the last point of the quota', graphql({ data: { viewer: {} } }, { headers: spent })],
    ['an answer of REST', rest(200, { login: 'mona' })],
    ['a list that single sign-on shortens', rest(200, [], { 'x-github-sso': 'partial-results; organizations=1' })],
    ['no content', rest(204, '')],
  ])('%s', (_, answer) => {
    expect(failureOf(answer, now, 'GitHub')).toBeNull();
  });

  it.each(['FORBIDDEN', 'NOT_FOUND', 'INTERNAL'])(
    'data in which one field failed as %s keeps the rest and tells where',
    (type) => {
      const answer = graphql({ data: { nodes: [null, {}] }, ...errors({ type, path: ['nodes', 0], message: 'Hm.' }) });

      expect(failureOf(answer, now, 'GitHub')).toBeNull();
      expect(errorsOf(answer)).toMatchObject([{ type, path: ['nodes', 0], message: 'Hm.' }]);
    },
  );
});

it('tells the host’s own sentence without the secrets that it repeats', () => {
  const secret = '0f'.repeat(32);
  const message = `No: ghu_a.b-c, authorization: Bearer ${'x'.repeat(30)}, github_pat_1_2, ${secret}, your token lacks it.`;
  const failure = failureOf(rest(422, { message }), now, 'GitHub');

  expect(failure?.message).toContain(
    'It says: “No: [secret], authorization: [secret], [secret], [secret], your token lacks it.”',
  );
});
