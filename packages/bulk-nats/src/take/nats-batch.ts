import type { BulkItem, BulkResult, TakenBatch } from "@decern/core";
import type { JsMsg } from "@nats-io/jetstream";
import type { Claims } from "./claims.js";
import type { Outbox } from "./outbox.js";

/** A message and the inputs in it. */
export interface TakenMessage {
  readonly message: JsMsg;
  readonly items: readonly BulkItem[];
}

const firstDelayMs = 1000;
const mostDelayMs = 5 * 60_000;

/** Messages that were taken together. Each is answered on its own. */
export class NatsBatch implements TakenBatch {
  readonly items: readonly BulkItem[];
  readonly #messages: readonly TakenMessage[];
  readonly #outbox: Outbox;
  readonly #claims: Claims;
  readonly #left: Set<JsMsg>;
  #hasFailed = false;

  constructor(messages: readonly TakenMessage[], outbox: Outbox, claims: Claims) {
    this.items = messages.flatMap(({ items }) => items);
    this.#messages = messages;
    this.#outbox = outbox;
    this.#claims = claims;
    this.#left = new Set(messages.map(({ message }) => message));
  }

  async commit(results: readonly BulkResult[]): Promise<void> {
    let start = 0;
    const answers = this.#messages.map(({ message, items }) => {
      const own = results.slice(start, start + items.length);
      start += items.length;
      return this.#answer(message, own);
    });
    const failed = (await Promise.allSettled(answers)).find(({ status }) => status === "rejected");
    if (failed?.status !== "rejected") return;
    this.#hasFailed = true;
    throw failed.reason;
  }

  async release(): Promise<void> {
    for (const message of this.#left) {
      // What could not be stored would come back at once, and use up its tries while its stream has no room.
      const delayMs = this.#hasFailed ? delayAfter(message.info.deliveryCount) : 0;
      this.#claims.release(message, delayMs);
    }
    this.#left.clear();
  }

  async #answer(message: JsMsg, results: readonly BulkResult[]): Promise<void> {
    if (!this.#left.has(message)) return;
    await this.#outbox.answer(message, results);
    this.#claims.delete(message);
    this.#left.delete(message);
  }
}

/** @param deliveries - how often the message was delivered, from 1 */
export function delayAfter(deliveries: number): number {
  return Math.min(firstDelayMs * 4 ** (deliveries - 1), mostDelayMs);
}
