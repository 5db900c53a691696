import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenGone } from './when-gone.ts';

let app: FastifyInstance;
let socket: Socket;
let handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
const told = vi.fn();

beforeEach(async () => {
  told.mockReset();
  app = Fastify();
  app.get('/', async (request, reply) => await handle(request, reply));
  await app.listen({ port: 0, host: '127.0.0.1' });
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
});
afterEach(async () => {
  socket.destroy();
  await app.close();
});

const ask = () => socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');

test('an answer that was sent is over once, also when its connection ends later', async () => {
  handle = async (request, reply) => {
    whenGone(request, reply, told);
    return {};
  };
  ask();
  await once(socket, 'data');
  await expect.poll(() => told).toHaveBeenCalledTimes(1);
  ask();
  await expect.poll(() => told).toHaveBeenCalledTimes(2);
  socket.destroy();
  const open = promisify(app.server.getConnections.bind(app.server));
  await expect.poll(() => open()).toBe(0);

  expect(told).toHaveBeenCalledTimes(2);
});

test('of whoever has gone before they were listened for it is told at once', async () => {
  const arrived = Promise.withResolvers<void>();
  handle = async (request, reply) => {
    arrived.resolve();
    await once(request.raw.socket, 'close');
    whenGone(request, reply, told);
    return {};
  };
  ask();
  await arrived.promise;
  socket.destroy();

  await expect.poll(() => told).toHaveBeenCalledTimes(1);
});

test('requests that wait behind another one on a connection are over with it', async () => {
  const arrived = vi.fn();
  const never = Promise.withResolvers<never>();
  handle = async (request, reply) => {
    whenGone(request, reply, told);
    arrived();
    return await never.promise;
  };
  for (let n = 0; n < 3; n += 1) ask();
  await expect.poll(() => arrived).toHaveBeenCalledTimes(3);
  expect(told).not.toHaveBeenCalled();
  socket.destroy();

  await expect.poll(() => told).toHaveBeenCalledTimes(3);
});
