import type { BulkItem, BulkResult, TakenBatch } from "@decern/bulk";
import type { Claims, Standing } from "./claims.js";
import type { Feed } from "./feed.js";
import { type Outbox, TooLargeError } from "./outbox.js";
import type { TakenMessage, Tries } from "./tries.js";

/** How long a message waits that can be neither processed nor given up, in milliseconds. */
export const laterMs = 5 * 60_000;

export interface BatchTools {
  readonly outbox: Outbox;
  readonly claims: Claims;
  readonly tries: Tries;
  readonly standing: Standing;
}

export class NatsBatch implements TakenBatch {
  readonly items: readonly BulkItem[];
  readonly #messages: readonly TakenMessage[];
  readonly #tools: BatchTools;
  readonly #feed: Feed;
  readonly #left: Set<TakenMessage>;
  #hasFailed = false;

  constructor(messages: readonly TakenMessage[], tools: BatchTools, feed: Feed) {
    this.items = messages.flatMap(({ items }) => items);
    this.#messages = messages;
    this.#tools = tools;
    this.#feed = feed;
    this.#left = new Set(messages);
  }

  async commit(results: readonly BulkResult[]): Promise<void> {
    try {
      await this.#tools.standing.check();
      await this.#answerAll(results);
    } catch (thrown) {
      this.#hasFailed = true;
      this.#tools.standing.doubt();
      throw thrown;
    }
  }

  /**
   * After a commit that failed, keeps what is not stored: another worker could not store it either. The next take from the same
   * feed gets it.
   */
  async release(): Promise<void> {
    const left = [...this.#left];
    this.#left.clear();
    if (this.#hasFailed) {
      this.#feed.hold(left);
      return;
    }
    await Promise.all(left.map(({ message }) => this.#tools.tries.takeBack(message)));
    for (const { message } of left) this.#tools.claims.release(message);
  }

  async #answerAll(results: readonly BulkResult[]): Promise<void> {
    let start = 0;
    const answers = this.#messages.map((taken) => {
      const own = results.slice(start, start + taken.items.length);
      start += taken.items.length;
      return this.#answer(taken, own);
    });
    const failed = (await Promise.allSettled(answers)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  async #answer(taken: TakenMessage, results: readonly BulkResult[]): Promise<void> {
    if (!this.#left.has(taken)) return;
    const { outbox, claims, tries } = this.#tools;
    const { message } = taken;
    try {
      await outbox.answer(message, results);
      // Stored results must not be held: a redelivery finds them.
      this.#left.delete(taken);
      await outbox.acknowledge(message);
      claims.delete(message);
    } catch (thrown) {
      if (thrown instanceof TooLargeError) {
        this.#left.delete(taken);
        claims.release(message, laterMs);
        throw thrown;
      }
      if (!this.#left.has(taken)) claims.delete(message);
      await tries.takeBack(message);
      throw thrown;
    }
  }
}
