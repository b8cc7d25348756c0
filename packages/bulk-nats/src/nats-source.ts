import type { BulkBacklog, BulkSource, TakenBatch } from "@decern/core";
import type { JsMsg } from "@nats-io/jetstream";
import { readBacklog } from "./backlog.js";
import { type NatsSettings, type NatsSourceOptions, settingsOf } from "./options.js";
import { Claims } from "./take/claims.js";
import { Feed } from "./take/feed.js";
import { messageLines } from "./take/message-lines.js";
import { delayAfter, NatsBatch, type TakenMessage } from "./take/nats-batch.js";
import { type OpenStream, openStream } from "./take/open-stream.js";
import { Outbox } from "./take/outbox.js";

const mostMessages = 500;
const mostBytes = 16 * 1024 * 1024;
const noBatch: TakenBatch = { items: [], commit: async () => {}, release: async () => {} };

/** Inputs in a stream of NATS JetStream, for `runWorker`. */
export interface NatsSource extends BulkSource {
  /**
   * Looks at the streams and the consumer now, instead of at the first take.
   *
   * @throws DecernError `INVALID_OPTIONS` (rejects with it) with everything about them that would lose or repeat something
   */
  open(): Promise<void>;
  /** Counts messages, not the inputs in them. */
  backlog(): Promise<BulkBacklog>;
}

/**
 * Takes inputs from a stream of NATS JetStream and publishes their results: one message of results for each message of inputs.
 * A message is acknowledged once its results are stored, so none is lost; results that were stored already are dropped by their
 * id, as long as the stream's `duplicate_window` reaches back.
 *
 * A message is never split: one with more inputs than the worker's `maxItems` exceeds it.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * const connection = await connect({ servers: "localhost", maxReconnectAttempts: -1 });
 * const source = natsSource({ connection, stream: "LOANS", consumer: "approval", results: "loans.answers" });
 * await runWorker({ decision: loanApproval, source, signal });
 * ```
 */
export function natsSource(options: NatsSourceOptions): NatsSource {
  return new JetStreamSource(settingsOf(options));
}

/** What all takes share. */
interface Opened {
  readonly place: OpenStream;
  readonly claims: Claims;
  readonly outbox: Outbox;
}

class JetStreamSource implements NatsSource {
  readonly #settings: NatsSettings;
  readonly #feeds = new WeakMap<AbortSignal, Feed>();
  #opened: Promise<Opened> | undefined;
  /** Whether the server had nothing to say to a request for messages: somebody may have deleted the consumer. */
  #isInDoubt = false;
  /** Of the largest message of the last batch: from it follows how many to ask for. */
  #size = { items: Number.POSITIVE_INFINITY, bytes: 0 };

  constructor(settings: NatsSettings) {
    this.#settings = settings;
  }

  async open(): Promise<void> {
    await this.#open();
  }

  async backlog(): Promise<BulkBacklog> {
    const { place } = await this.#open();
    return await readBacklog(place, this.#settings, this.#settings.clock.now());
  }

  async take(max: number, signal: AbortSignal): Promise<TakenBatch> {
    const opened = await this.#open();
    if (this.#isInDoubt) {
      await openStream(this.#settings);
      this.#isInDoubt = false;
    }
    if (signal.aborted) return noBatch;
    const feed = this.#feedOf(opened, signal);
    let messages: readonly TakenMessage[] = [];
    while (messages.length === 0) {
      await this.#wait(feed, max);
      if (signal.aborted) return noBatch;
      messages = await this.#collect(feed, opened, max);
    }
    this.#size = {
      items: Math.max(...messages.map(({ items }) => items.length)),
      bytes: Math.max(...messages.map(({ message }) => message.data.length)),
    };
    return new NatsBatch(messages, opened.outbox, opened.claims);
  }

  async #wait(feed: Feed, max: number): Promise<void> {
    try {
      await feed.wait(this.#wanted(max));
    } catch (thrown) {
      this.#isInDoubt = true;
      throw thrown;
    }
  }

  async #collect(feed: Feed, opened: Opened, max: number): Promise<readonly TakenMessage[]> {
    const taken: TakenMessage[] = [];
    let count = 0;
    for (let message = feed.first; message !== undefined; message = feed.first) {
      if (message.info.deliveryCount > this.#settings.maxDeliveries) {
        // What was collected must not wait for it.
        if (taken.length > 0) break;
        feed.shift();
        await this.#giveUp(message, opened);
        continue;
      }
      const items = messageLines(message);
      if (count > 0 && count + items.length > max) break;
      feed.shift();
      taken.push({ message, items });
      count += items.length;
    }
    return taken;
  }

  async #giveUp(message: JsMsg, { outbox, claims }: Opened): Promise<void> {
    try {
      await outbox.giveUp(
        message,
        `it was delivered ${this.#settings.maxDeliveries} times without an acknowledgement`,
      );
      claims.delete(message);
    } catch (thrown) {
      claims.release(message, delayAfter(message.info.deliveryCount));
      throw thrown;
    }
  }

  #wanted(max: number): number {
    const { items, bytes } = this.#size;
    const count = Math.min(Math.ceil(max / items), Math.floor(mostBytes / Math.max(bytes, 1)), mostMessages);
    return Math.max(count, 1);
  }

  #feedOf({ place, claims }: Opened, signal: AbortSignal): Feed {
    const known = this.#feeds.get(signal);
    if (known !== undefined) return known;
    const feed = new Feed(place.consumer, claims);
    this.#feeds.set(signal, feed);
    // A lane that is busy takes nothing more: what has arrived for it goes back now.
    signal.addEventListener("abort", () => feed.stop(), { once: true });
    return feed;
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#openOnce().catch((thrown: unknown) => {
      this.#opened = undefined;
      throw thrown;
    });
    return this.#opened;
  }

  async #openOnce(): Promise<Opened> {
    const place = await openStream(this.#settings);
    const claims = new Claims(place.ackWaitMs);
    return { place, claims, outbox: new Outbox(this.#settings, place) };
  }
}
