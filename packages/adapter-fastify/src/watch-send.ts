import type { FastifyReply } from "fastify";

/**
 * Watches whether a reply is sent from now on. `reply.sent` alone turns true when the last byte is written, which an
 * asynchronous `onSend` hook of the host delays. Until then, whoever replies again replaces status and headers of a reply
 * that is not theirs.
 *
 * @returns tells whether the reply was sent, or is on its way
 */
export function watchSend(reply: FastifyReply): () => boolean {
  let called = false;
  const send = reply.send.bind(reply);
  reply.send = (...payload) => {
    called = true;
    return send(...payload);
  };
  return () => called || reply.sent;
}
