import type { ServerResponse } from "node:http";

/**
 * The replies that one connection still owes its client. Node sends pipelined replies in the order of their requests, so
 * once the last one has left, all have.
 */
export class PendingReplies {
  #unanswered: ServerResponse[] = [];
  #last: ServerResponse | undefined;
  #beforeLast: ServerResponse | undefined;

  add(response: ServerResponse): void {
    while (this.#unanswered[0]?.writableEnded === true) this.#unanswered.shift();
    this.#unanswered.push(response);
    this.#beforeLast = this.#last;
    this.#last = response;
  }

  /** Whether more than `limit` requests have no answer yet. A reply that is complete but not sent counts as an answer. */
  areMoreThan(limit: number): boolean {
    if (this.#unanswered.length <= limit) return false;
    this.#unanswered = this.#unanswered.filter((response) => !response.writableEnded);
    return this.#unanswered.length > limit;
  }

  /** Whether any reply is not sent in full. */
  get any(): boolean {
    return this.#last?.writableFinished === false;
  }

  /** The reply to the request that is still arriving. */
  get toIncompleteRequest(): ServerResponse | undefined {
    return this.#last?.req.complete === false ? this.#last : undefined;
  }

  /**
   * Calls back once every request that arrived in full has its reply, and Node has ended the connection if one of them was
   * to be the last. Does not call back if the connection breaks first.
   */
  whenCompleteRequestsAreAnswered(callback: () => void): void {
    const last = this.toIncompleteRequest === undefined ? this.#last : this.#beforeLast;
    // A finished reply may not have emitted `finish` yet, and Node ends the connection when it does.
    if (last === undefined || last.writableFinished) setImmediate(callback);
    else last.once("finish", callback);
  }
}
