import type { FastifyReply } from "fastify";

/**
 * Watches a reply from now on, by wrapping `send` of this one reply. Fastify documents no other way: `reply.sent` turns true
 * when the last byte is written, which an asynchronous `onSend` hook of the host delays. A second reply in the meantime
 * would replace the status and headers of the first.
 *
 * Checked with Fastify 5.12 by `test/held-back.test.ts`. See ADR 12.
 *
 * @returns tells whether somebody has sent a reply
 */
export function watchReply(reply: Pick<FastifyReply, "send" | "sent">): () => boolean {
  let called = false;
  const { send } = reply;
  reply.send = (...payload) => {
    called = true;
    return send.apply(reply, payload);
  };
  return () => called || reply.sent;
}
