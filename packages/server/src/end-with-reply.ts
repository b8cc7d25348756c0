import type { Duplex } from "node:stream";
import type { PendingReplies } from "./pending-replies.js";

const ending = new WeakSet<Duplex>();

/**
 * Ends a connection with a reply that no route makes, after the replies that are pending: earlier it would be taken for
 * the answer to another request, or end up in the middle of one. If what is wrong is within a request that has its answer
 * already, there is no second one.
 */
export function endWithReply(socket: Duplex, pending: PendingReplies, text: string): void {
  // Node tells of every further piece that it cannot read, and of a late request again and again.
  if (ending.has(socket)) return;
  ending.add(socket);
  socket.pause();
  pending.whenCompleteRequestsAreAnswered(() => {
    const reply = pending.toIncompleteRequest;
    if (reply === undefined || !reply.headersSent) {
      // Unless the last reply has said that it is the last.
      if (socket.writable) socket.end(text, () => socket.destroy());
    } else if (reply.writableEnded && !reply.writableFinished) {
      reply.once("finish", () => socket.destroy());
    } else {
      socket.destroy();
    }
  });
}
