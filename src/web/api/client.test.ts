import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, addressOf, createApi, errorOf } from './client.ts';

const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
  vi.fn(async () => new Response(status === 204 ? null : body, { status, headers }));

describe('a call', () => {
  it('goes to the address of its endpoint with names escaped and absent values left out', async () => {
    const send = answering(200, '[]');

    await createApi(send, () => {}).listContributorPullRequests({
      params: { username: 'dependabot[bot]' },
      query: { period: '30d', repository: undefined },
    });

    expect(send).toHaveBeenCalledWith('/api/contributors/dependabot%5Bbot%5D/prs?period=30d', expect.anything());
  });

  it('carries cookies, and a body as JSON', async () => {
    const send = answering(200, '{}');

    await createApi(send, () => {}).connectRepository({ body: { owner: 'brasswick', name: 'ledger' } });

    expect(send).toHaveBeenCalledWith('/api/repos', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: '{"owner":"brasswick","name":"ledger"}',
    });
  });

  it('names no content type without a body', async () => {
    const send = answering(204, '');

    expect(await createApi(send, () => {}).signOut()).toBeUndefined();
    expect(send).toHaveBeenCalledWith(
      '/auth/logout',
      expect.objectContaining({ headers: { accept: 'application/json' } }),
    );
  });

  it('gives a download with its name', async () => {
    const send = answering(200, 'a,b', {
      'content-disposition': 'attachment; filename="ilse-m_metrics_2026-11-21.csv"',
    });

    const file = await createApi(send, () => {}).exportContributor({ body: { username: 'ilse-m', format: 'csv' } });

    expect(file.filename).toBe('ilse-m_metrics_2026-11-21.csv');
    expect(await file.blob.text()).toBe('a,b');
  });

  it('says that the server did not answer when the network failed', async () => {
    const send = async () => Promise.reject(new TypeError('Failed to fetch'));

    await expect(createApi(send, () => {}).getSession()).rejects.toThrow('The server did not answer.');
  });

  it.each(['', 'null', '<h1>Welcome to the hotel</h1>', '{"prs":['])(
    'says that an answer is none: %s',
    async (body) => {
      const call = createApi(answering(200, body), () => {}).listStuckPullRequests();

      await expect(call).rejects.toMatchObject({ message: 'The answer of the server could not be read.', status: 200 });
    },
  );

  it('is silent about a call that was given up', async () => {
    const given = AbortSignal.abort(new Error('left the page'));
    const send = async () => Promise.reject(new TypeError('Failed to fetch'));

    await expect(createApi(send, () => {}).getSession(undefined, { signal: given })).rejects.toThrow('left the page');
  });
});

describe('a refusal', () => {
  it('speaks with the error of our JSON and keeps code and request id', () => {
    const error = errorOf(
      422,
      '{"error":"Cannot access repository: Not Found","code":"host_refused","request_id":"7f3c91"}',
    );

    expect(error).toMatchObject({
      message: 'Cannot access repository: Not Found',
      status: 422,
      code: 'host_refused',
      requestId: '7f3c91',
    });
  });

  it('speaks with the raw text of anything else', () => {
    expect(errorOf(502, '<h1>Bad Gateway</h1>').message).toBe('<h1>Bad Gateway</h1>');
    expect(errorOf(500, '{"detail":1}').message).toBe('{"detail":1}');
    expect(errorOf(500, 'null').message).toBe('null');
  });

  it.each(['', '  \n'])('names the status where there is no text', (text) => {
    expect(errorOf(503, text).message).toBe('Request failed: 503');
  });
});

describe('a server that has too much to do', () => {
  const busy = (times: number) => {
    const answers = Array.from(
      { length: times },
      () =>
        new Response('{"error":"Too many requests.","code":"x"}', {
          status: 429,
          headers: { 'retry-after': '2' },
        }),
    );
    return vi.fn(async () => answers.shift() ?? new Response('[]', { status: 200 }));
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is asked again after the time that it names, and the page hears that it waits', async () => {
    const send = busy(2);
    const heard: boolean[] = [];

    const question = createApi(
      send,
      () => {},
      60_000,
      (until) => heard.push(until !== null),
    ).listRepositories();
    await vi.advanceTimersByTimeAsync(1900);
    const before = [send.mock.calls.length, ...heard];
    await vi.advanceTimersByTimeAsync(2100);

    expect(await question).toEqual([]);
    expect(before).toEqual([1, true]);
    expect(heard).toEqual([true, false, true, false]);
  });

  it('is not asked for ever, and what changes something is sent once', async () => {
    const [often, once] = [busy(9), busy(9)];
    const question = createApi(often, () => {}).listRepositories();
    const change = createApi(once, () => {}).connectRepository({ body: { owner: 'brasswick', name: 'ledger' } });
    const refused = Promise.allSettled([question, change]);
    await vi.advanceTimersByTimeAsync(60_000);

    expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([often.mock.calls.length, once.mock.calls.length]).toEqual([3, 1]);
    await expect(change).rejects.toThrow('Too many requests.');
  });
});

describe('a session that has ended', () => {
  it('is told when a call that needs one is answered with 401', async () => {
    const onSessionExpired = vi.fn();

    const call = createApi(
      answering(401, '{"error":"Sign in again.","code":"no_session","request_id":"1"}'),
      onSessionExpired,
    );

    await expect(call.listRepositories()).rejects.toBeInstanceOf(ApiError);
    expect(onSessionExpired).toHaveBeenCalledOnce();
  });

  it('is no news to the question who is signed in, nor to a sign-in', async () => {
    const onSessionExpired = vi.fn();
    const call = createApi(answering(401, ''), onSessionExpired);

    await expect(call.getSession()).rejects.toThrow('Request failed: 401');
    await expect(call.signInWithToken({ body: { token: 'x' } })).rejects.toThrow('Request failed: 401');
    expect(onSessionExpired).not.toHaveBeenCalled();
  });
});

it('leaves a path without a query as it is', () => {
  expect(addressOf('/api/prs', {})).toBe('/api/prs');
});

describe('a server that does not come to an end', () => {
  type Answer = (response: ServerResponse) => void;
  let server: Server;
  let answer: Answer;

  beforeAll(async () => {
    server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const api = (patience: number) => {
    const { port } = server.address() as AddressInfo;
    return createApi(
      (address, init) => fetch(`http://127.0.0.1:${port}${address}`, init),
      () => {},
      patience,
    );
  };

  it.each<[string, Answer]>([
    ['begins', () => {}],
    ['goes on', (response) => response.writeHead(200).write('[')],
    ['goes on to say what is wrong', (response) => response.writeHead(500).write('{"error":')],
  ])('is not waited for where no answer %s, and it is said how long it was', async (_, first) => {
    answer = first;

    const question = api(500).listStuckPullRequests();

    await expect(question).rejects.toMatchObject({ message: 'The server did not answer within 0.5 s.', status: null });
  });

  it('is not blamed where the page gave the question up', async () => {
    const left = new AbortController();
    answer = () => left.abort(new Error('left the page'));

    const question = api(60_000).listStuckPullRequests(undefined, { signal: left.signal });

    await expect(question).rejects.toThrow('left the page');
  });

  it('is waited for while it changes something or writes a file', async () => {
    answer = (response) => setTimeout(() => response.end('{"id":1}'), 50);

    const added = await api(1).connectRepository({ body: { owner: 'brasswick', name: 'ledger' } });
    const file = await api(1).exportContributor({ body: { username: 'ilse-m', format: 'csv' } });

    expect(added).toEqual({ id: 1 });
    expect(await file.blob.text()).toBe('{"id":1}');
  });
});
