import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is to be done when a connection ends, of the requests that came by it. */
const bySocket = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `act` once, when an answer has been sent or whoever waits for it has gone: at once where they have gone by now. A request that came
 * behind another one on the same connection is not told of its end by Node, so that is listened to as well.
 */
export function whenGone({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply, act: () => void): void {
  if (raw.closed || socket.destroyed) {
    act();
    return;
  }
  const waiting = bySocket.get(socket) ?? listenTo(socket);
  const gone = () => {
    if (waiting.delete(gone)) act();
  };
  waiting.add(gone);
  raw.once('close', gone);
}

function listenTo(socket: Socket): Set<() => void> {
  const waiting = new Set<() => void>();
  bySocket.set(socket, waiting);
  socket.once('close', () => {
    for (const gone of [...waiting]) gone();
  });
  return waiting;
}
