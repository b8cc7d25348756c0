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

  /** Whether more than so many requests have no answer yet. A reply that is written but not sent does not count. */
  areMoreThan(limit: number): boolean {
    if (this.#unanswered.length <= limit) return false;
    this.#unanswered = this.#unanswered.filter((response) => !response.writableEnded);
    return this.#unanswered.length > limit;
  }

  /** Whether a reply was not sent in full. */
  get any(): boolean {
    return this.#last?.writableFinished === false;
  }

  /** The reply to the request that is still arriving. */
  get toIncompleteRequest(): ServerResponse | undefined {
    return this.#last?.req.complete === false ? this.#last : undefined;
  }

  /**
   * Calls back when every request that arrived in full has its reply, and Node has ended the connection where a reply was
   * the last one. Never calls back when the connection ends before.
   */
  whenCompleteRequestsAreAnswered(callback: () => void): void {
    const last = this.toIncompleteRequest === undefined ? this.#last : this.#beforeLast;
    // What is finished may have yet to say so, to Node as well.
    if (last === undefined || last.writableFinished) setImmediate(callback);
    else last.once("finish", callback);
  }
}
