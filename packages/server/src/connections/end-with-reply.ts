import type { Duplex } from "node:stream";
import type { PendingReplies } from "./pending-replies.js";

const ending = new WeakSet<Duplex>();

/**
 * Ends a connection with a reply that no route makes. The reply follows all pending ones: sent earlier, it would be taken
 * for the answer to another request, or land in the middle of one. A request that already has an answer gets no second one.
 */
export function endWithReply(socket: Duplex, pending: PendingReplies, text: string): void {
  // Node reports every further piece that it cannot read, and repeats its report of a late request.
  if (ending.has(socket)) return;
  ending.add(socket);
  socket.pause();
  pending.whenCompleteRequestsAreAnswered(() => {
    const reply = pending.toIncompleteRequest;
    if (reply === undefined || !reply.headersSent) {
      // It is not writable if the last reply said `Connection: close`.
      if (socket.writable) socket.end(text, () => socket.destroy());
    } else if (reply.writableEnded && !reply.writableFinished) {
      reply.once("finish", () => socket.destroy());
    } else {
      socket.destroy();
    }
  });
}
