import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when a reply is complete or can no longer be sent. Its own `close` event is not enough: a reply that is
 * queued behind another one gets no event when that one ends the connection.
 */
export function whenGone(response: ServerResponse, callback: () => void): void {
  const { socket } = response.req;
  const callbacks = callbacksOf(socket);
  const call = (): void => {
    if (callbacks.delete(call)) callback();
  };
  callbacks.add(call);
  response.once("close", call);
}

function callbacksOf(socket: Socket): Set<() => void> {
  let callbacks = waiting.get(socket);
  if (callbacks === undefined) {
    const made = new Set<() => void>();
    socket.once("close", () => {
      for (const call of made) call();
    });
    waiting.set(socket, made);
    callbacks = made;
  }
  return callbacks;
}
