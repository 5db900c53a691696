import { describe, expect, it } from 'vitest';
import type { RawDelivery } from '../delivery.ts';
import { hasSignature, isSigned, readAppDelivery, readDelivery, readOrganizationDelivery } from './webhook.ts';

const delivery = (event: string, payload: unknown): RawDelivery => ({
  headers: { 'content-type': 'application/json', 'x-github-event': event },
  body: JSON.stringify(payload),
});

describe('the signature of a delivery', () => {
  const secret = "It's a Secret to Everybody";
  const body = 'Hello, World!';
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

  it('fits the example of the documentation', async () => {
    expect(await isSigned({ headers: { 'x-hub-signature-256': signature }, body }, secret)).toBe(true);
  });

  it.each([
    ['another body', secret, 'Hello, World?', signature],
    ['another secret', 'guess', body, signature],
    ['another signature', secret, body, signature.replace('7571', '7572')],
    ['a shorter signature', secret, body, signature.slice(0, -1)],
    ['no signature', secret, body, ''],
    ['no secret', '', body, signature],
    ['no body', secret, '', signature],
    ['a digest without its algorithm', secret, body, signature.replace('sha256=', '')],
  ])('does not fit %s', async (_, tried, text, header) => {
    expect(await isSigned({ headers: { 'x-hub-signature-256': header }, body: text }, tried)).toBe(false);
  });

  it('is missing where its header is', async () => {
    expect(await isSigned({ headers: {}, body }, secret)).toBe(false);
  });

  it.each([
    [signature, true],
    [signature.slice(0, -1), false],
    [signature.replace('sha256=', ''), false],
    [undefined, false],
  ])('can be told to be none before the body is there: %s', (header, is) => {
    expect(hasSignature({ headers: { 'x-hub-signature-256': header } })).toBe(is);
  });
});

describe('a delivery', () => {
  it('may be sent as a form, with the JSON in a field', () => {
    const body = new URLSearchParams({ payload: JSON.stringify({ pull_request: { number: 7 } }) }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-github-event': 'pull_request' };

    const subject = { kind: 'pull_requests', numbers: [7] };
    expect(readDelivery({ headers, body })).toEqual({ event: 'pull_request', subject });
  });

  it('that is no JSON cannot be read', () => {
    const garbage = { headers: { 'x-github-event': 'push' }, body: '{' };

    expect([readDelivery, readAppDelivery, readOrganizationDelivery].map((read) => read(garbage))).toEqual([
      ...[null, null, null],
    ]);
  });

  it('without an event says nothing', () => {
    expect(readDelivery({ headers: {}, body: '{}' })).toEqual({ event: '', subject: null });
  });

  it.each([
    ['organization', { organization: { login: 'Acme' }, membership: { user: { id: 9 } } }, { account_id: '9' }],
    ['organization', { organization: { login: 'Acme' } }, { account_id: null }],
    ['membership', { organization: { login: 'Acme' }, member: { id: 9 } }, { account_id: '9' }],
    ['membership', { member: { id: 9 } }, null],
    ['membership', {}, null],
    ['member', { organization: { login: 'Acme' }, member: { id: 9 } }, null],
  ])('%s %j names whose memberships may have changed, and of which organisation', (event, payload, of) => {
    const membership = of === null ? null : { ...of, organization: 'acme' };
    expect(readAppDelivery(delivery(event, payload))?.membership).toEqual(membership);
    expect(readOrganizationDelivery(delivery(event, payload))?.membership).toEqual(membership);
  });
});

describe('what a delivery is about', () => {
  const pull_request = { number: 7 };
  const sha = 'a1'.repeat(20);
  const inRepository = (id: number, number: number) => ({ number, base: { repo: { id } } });

  it.each([
    ['ping', { zen: 'Keep it logically awesome.' }, { kind: 'test' }],
    ['pull_request', { action: 'opened', number: 7, pull_request }, { kind: 'pull_requests', numbers: [7] }],
    ['pull_request_review', { action: 'submitted', pull_request }, { kind: 'pull_requests', numbers: [7] }],
    ['pull_request_review_comment', { action: 'created', pull_request }, { kind: 'pull_requests', numbers: [7] }],
    ['pull_request_review_thread', { action: 'resolved', pull_request }, { kind: 'pull_requests', numbers: [7] }],
    ['issue_comment', { issue: { number: 7, pull_request: { url: 'x' } } }, { kind: 'pull_requests', numbers: [7] }],
    ['push', { ref: 'refs/heads/feature/tags' }, { kind: 'branch', branch: 'feature/tags', heads: [] }],
    [
      'push',
      { ref: 'refs/heads/main', before: sha, after: 'b2'.repeat(20) },
      { kind: 'branch', branch: 'main', heads: [sha, 'b2'.repeat(20)] },
    ],
    [
      'push',
      { ref: 'refs/heads/main', before: 'no\0commit', after: sha },
      { kind: 'branch', branch: 'main', heads: [sha] },
    ],
    [
      'check_suite',
      {
        check_suite: { head_sha: sha, pull_requests: [inRepository(1, 7), inRepository(2, 8)] },
        repository: { id: 1 },
      },
      { kind: 'commit', sha, numbers: [7], on_branch: false },
    ],
    [
      'check_suite',
      { check_suite: { head_sha: sha, head_branch: null, pull_requests: [] } },
      { kind: 'commit', sha, numbers: [], on_branch: false },
    ],
    [
      'check_suite',
      { check_suite: { head_sha: sha, head_branch: 'main', pull_requests: [] } },
      { kind: 'commit', sha, numbers: [], on_branch: true },
    ],
    ['status', { sha, state: 'success', branches: [] }, { kind: 'commit', sha, numbers: [], on_branch: false }],
    [
      'status',
      { sha, state: 'success', branches: [{ name: 'main' }] },
      { kind: 'commit', sha, numbers: [], on_branch: true },
    ],
    ['repository', { action: 'renamed' }, { kind: 'repository' }],
    ['repository', { action: 'transferred' }, { kind: 'repository' }],
    ['repository', { action: 'deleted' }, { kind: 'deleted' }],
    ['member', { action: 'removed', member: { id: 9 } }, { kind: 'repository' }],
    ['team_add', { repository: { id: 5 } }, { kind: 'repository' }],
    ['membership', { action: 'removed', member: { id: 9 } }, { kind: 'repository' }],
    ['repository', { action: 'privatized' }, { kind: 'repository' }],
    ['repository', { action: 'publicized' }, { kind: 'repository' }],
  ])('%s %j', (event, payload, expected) => {
    expect(readDelivery(delivery(event, payload))).toMatchObject({ event, subject: expected });
  });

  it.each([
    ['an issue that is no pull request', 'issue_comment', { issue: { number: 7 } }],
    ['a tag', 'push', { ref: 'refs/tags/v1' }],
    ['a branch with a null character', 'push', { ref: 'refs/heads/ma\0in' }],
    ['a branch of 10 kB', 'push', { ref: `refs/heads/${'x'.repeat(10_000)}` }],
    ['a commit with a null character', 'status', { sha: `\0${'a'.repeat(39)}` }],
    ['a commit of 10 kB', 'status', { sha: 'a'.repeat(10_000) }],
    ['a number that no pull request has', 'pull_request', { pull_request: { number: 2 ** 40 } }],
    ['a repository that was edited', 'repository', { action: 'edited' }],
    ['an event that says nothing to us', 'star', { action: 'created' }],
    ['an event called like something every object has', 'constructor', {}],
    ['a pull request without a number', 'pull_request', { pull_request: {} }],
    ['a number that is none', 'pull_request', { pull_request: { number: '7; drop' } }],
    ['nothing', 'pull_request', null],
  ])('%s means nothing', (_, event, payload) => {
    expect(readDelivery(delivery(event, payload))).toMatchObject({ subject: null });
  });
});

describe('what a delivery to the GitHub App is about', () => {
  const nobody = { repository_ids: [], owners: [], account_ids: [], revoked: false };
  const installation = { id: 1, account: { id: 2, login: 'acme' } };

  it('names the repository that it concerns', () => {
    const payload = { action: 'opened', pull_request: { number: 7 }, repository: { id: 5 }, installation };

    expect(readAppDelivery(delivery('pull_request', payload))).toEqual({
      ...{ event: 'pull_request', membership: null, teams: null, access: null },
      repository: { id: '5', subject: { kind: 'pull_requests', numbers: [7] } },
    });
  });

  it.each([
    ['installation', { action: 'suspend', installation }, { ...nobody, owners: ['acme'] }],
    [
      'installation',
      { action: 'deleted', installation, repositories: [{ id: 5 }] },
      { ...nobody, owners: ['acme'], repository_ids: ['5'] },
    ],
    [
      'installation_repositories',
      { action: 'removed', installation, repositories_added: [{ id: 5 }], repositories_removed: [{ id: 6 }] },
      { ...nobody, repository_ids: ['5', '6'] },
    ],
    [
      'github_app_authorization',
      { action: 'revoked', sender: { id: 9 } },
      { ...nobody, account_ids: ['9'], revoked: true },
    ],
    ['member', { action: 'removed', member: { id: 9 }, repository: { id: 5 } }, { ...nobody, account_ids: ['9'] }],
    ['membership', { action: 'removed', member: { id: 9 } }, { ...nobody, account_ids: ['9'] }],
    [
      'organization',
      { action: 'member_removed', organization: { login: 'acme' }, membership: { user: { id: 9 } } },
      { ...nobody, account_ids: ['9'] },
    ],
    ['organization', { action: 'renamed', organization: { login: 'acme' } }, { ...nobody, owners: ['acme'] }],
    [
      'team',
      { action: 'removed_from_repository', organization: { login: 'acme' }, repository: { id: 5 } },
      { ...nobody, repository_ids: ['5'] },
    ],
    ['team', { action: 'deleted', organization: { login: 'acme' } }, { ...nobody, owners: ['acme'] }],
    ['team_add', { repository: { id: 5 } }, { ...nobody, repository_ids: ['5'] }],
  ])('%s says whose access may have changed', (event, payload, access) => {
    expect(readAppDelivery(delivery(event, payload))).toMatchObject({ event, repository: null, access });
  });

  it.each([
    ['membership', { organization: { id: 3, login: 'acme' }, member: { id: 9 } }, { account_id: '9' }],
    ['organization', { organization: { id: 3, login: 'acme' }, membership: { user: { id: 9 } } }, { account_id: '9' }],
    ['organization', { organization: { id: 3, login: 'acme' } }, { account_id: null }],
    ['team', { organization: { id: 3, login: 'acme' }, team: { id: 4 } }, { account_id: null }],
  ])('%s says of which organisation the teams may have changed', (event, payload, about) => {
    expect(readAppDelivery(delivery(event, payload))?.teams).toEqual({ organization_id: '3', ...about });
    expect(readAppDelivery(delivery('repository', payload))?.teams).toBeNull();
    expect(readAppDelivery(delivery(event, { ...payload, organization: 'acme' }))?.teams).toBeNull();
  });

  it.each([
    ['star', { action: 'created', repository: { id: 5 } }],
    ['pull_request', { action: 'opened', pull_request: { number: 7 } }],
    ['installation', { installation: { account: null } }],
    ['github_app_authorization', { action: 'granted', sender: { id: 9 } }],
    ['toString', null],
  ])('%s %j means nothing', (event, payload) => {
    expect(readAppDelivery(delivery(event, payload))).toMatchObject({ repository: null, access: null });
  });
});

describe('what a delivery of an organisation’s webhook is about', () => {
  const organization = { id: 3, login: 'acme' };
  const repository = { id: 5 };

  it.each([
    ['pull_request', { action: 'opened', pull_request: { number: 7 } }],
    ['member', { action: 'removed', member: { id: 9 } }],
    ['team', { action: 'added_to_repository', team: { id: 4 } }],
    ['team_add', { team: { id: 4 } }],
    ['repository', { action: 'deleted' }],
    ['star', { action: 'created' }],
  ])('%s says of the repository what it says at that repository’s own webhook', (event, payload) => {
    const given = delivery(event, { ...payload, repository, organization });

    const subject = readDelivery(given)?.subject;
    expect(readOrganizationDelivery(given)).toMatchObject({ event, subject, repository_id: '5' });
    expect(subject === null).toBe(event === 'star');
  });

  it('names no repository where the payload has none, and says whose teams may have changed', () => {
    const given = delivery('membership', { action: 'added', member: { id: 9 }, organization });

    expect(readOrganizationDelivery(given)).toMatchObject({
      ...{ repository_id: null, membership: { organization: 'acme', account_id: '9' } },
      teams: { organization_id: '3', account_id: '9' },
    });
  });
});
