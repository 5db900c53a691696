import { describe, expect, it } from 'vitest';
import { readDelivery, verifySignature } from './webhook.ts';

describe('the signature of a delivery', () => {
  const secret = "It's a Secret to Everybody";
  const body = 'Hello, World!';
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

  it('fits the example of the documentation', async () => {
    expect(await verifySignature(secret, body, signature)).toBe(true);
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
  ])('does not fit %s', async (_, ...given) => {
    expect(await verifySignature(...given)).toBe(false);
  });
});

describe('what a delivery is about', () => {
  const pull_request = { number: 7 };
  const inRepository = (id: number, number: number) => ({ number, base: { repo: { id } } });

  it.each([
    ['ping', { zen: 'Keep it logically awesome.' }, { kind: 'ping' }],
    ['pull_request', { action: 'opened', number: 7, pull_request }, { kind: 'pull_requests', numbers: [7] }],
    ['pull_request_review', { action: 'submitted', pull_request }, { kind: 'pull_requests', numbers: [7] }],
    ['pull_request_review_comment', { action: 'created', pull_request }, { kind: 'pull_requests', numbers: [7] }],
    ['pull_request_review_thread', { action: 'resolved', pull_request }, { kind: 'pull_requests', numbers: [7] }],
    ['issue_comment', { issue: { number: 7, pull_request: { url: 'x' } } }, { kind: 'pull_requests', numbers: [7] }],
    ['push', { ref: 'refs/heads/feature/tags' }, { kind: 'branch', branch: 'feature/tags' }],
    [
      'check_suite',
      {
        check_suite: { head_sha: 'a1', pull_requests: [inRepository(1, 7), inRepository(2, 8)] },
        repository: { id: 1 },
      },
      { kind: 'commit', sha: 'a1', numbers: [7] },
    ],
    ['check_suite', { check_suite: { head_sha: 'a1', pull_requests: [] } }, { kind: 'commit', sha: 'a1', numbers: [] }],
    ['status', { sha: 'a1', state: 'success' }, { kind: 'commit', sha: 'a1', numbers: [] }],
    ['repository', { action: 'renamed' }, { kind: 'repository' }],
    ['repository', { action: 'transferred' }, { kind: 'repository' }],
    ['repository', { action: 'deleted' }, { kind: 'repository' }],
    ['repository', { action: 'privatized' }, { kind: 'repository' }],
    ['repository', { action: 'publicized' }, { kind: 'repository' }],
  ])('%s %j', (event, payload, expected) => {
    expect(readDelivery(event, payload)).toEqual(expected);
  });

  it.each([
    ['an issue that is no pull request', 'issue_comment', { issue: { number: 7 } }],
    ['a tag', 'push', { ref: 'refs/tags/v1' }],
    ['a repository that was edited', 'repository', { action: 'edited' }],
    ['an event that says nothing to us', 'star', { action: 'created' }],
    ['an event called like something every object has', 'constructor', {}],
    ['a pull request without a number', 'pull_request', { pull_request: {} }],
    ['a number that is none', 'pull_request', { pull_request: { number: '7; drop' } }],
    ['nothing', 'pull_request', null],
  ])('%s means nothing', (_, event, payload) => {
    expect(readDelivery(event, payload)).toBeNull();
  });
});
