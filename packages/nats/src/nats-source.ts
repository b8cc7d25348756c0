import type { BulkBacklog, BulkSource, TakenBatch } from "@decern/bulk";
import type { JsMsg } from "@nats-io/jetstream";
import { type NatsSettings, type NatsSourceOptions, settingsOf } from "./options.js";
import { Claims, OtherConsumerError, Standing } from "./take/claims.js";
import { Feed } from "./take/feed.js";
import { type BatchTools, laterMs, NatsBatch } from "./take/nats-batch.js";
import { type OpenStream, openStream } from "./take/open-stream.js";
import { Outbox } from "./take/outbox.js";
import { messageLines, type TakenMessage, Tries } from "./take/tries.js";

/** @param nowMs - milliseconds since the Unix epoch */
async function readBacklog(
  { manager, filter, deadStream }: OpenStream,
  { stream, consumer, deadLetters }: NatsSettings,
  nowMs: number,
): Promise<BulkBacklog> {
  const info = await manager.consumers.info(stream, consumer);
  const items = info.num_pending + info.num_ack_pending;
  const { state } = await manager.streams.info(deadStream, { subjects_filter: deadLetters });
  const dead = state.subjects?.[deadLetters] ?? 0;
  if (items === 0) return { items, dead, oldestSeconds: 0 };
  // Everything up to the floor is acknowledged; the consumer's next message is the oldest.
  const query = { seq: info.ack_floor.stream_seq + 1, next_by_subj: filter || ">" };
  const oldest = await manager.streams.getMessage(stream, query);
  if (oldest === null) return { items, dead, oldestSeconds: undefined };
  return { items, dead, oldestSeconds: Math.max(nowMs - oldest.time.getTime(), 0) / 1000 };
}

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
 * While results cannot be stored, the source keeps their messages and offers them again at each take, until that take's signal is
 * aborted. That uses up no tries.
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

interface Opened extends BatchTools {
  readonly place: OpenStream;
  /** One per worker, which stops it by its signal. */
  readonly feeds: Map<AbortSignal, Feed>;
}

class JetStreamSource implements NatsSource {
  readonly #settings: NatsSettings;
  #opened: Promise<Opened> | undefined;
  /** Of the largest message in the last batch: limits how many to request. */
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
    let opened = await this.#open();
    try {
      await opened.standing.check();
    } catch (thrown) {
      if (!(thrown instanceof OtherConsumerError)) throw thrown;
      opened = await this.#open();
    }
    if (signal.aborted) return noBatch;
    const feed = this.#feedOf(opened, signal);
    const messages = feed.takeHeld() ?? (await this.#next(feed, opened, max));
    try {
      await opened.tries.begin(messages);
    } catch (thrown) {
      feed.hold(messages);
      throw thrown;
    }
    return new NatsBatch(messages, opened, feed);
  }

  async #next(feed: Feed, opened: Opened, max: number): Promise<readonly TakenMessage[]> {
    let messages: readonly TakenMessage[] = [];
    while (messages.length === 0) {
      await feed.wait(this.#wanted(max));
      if (feed.isStopped) return [];
      messages = await this.#collect(feed, opened, max);
    }
    this.#size = {
      items: Math.max(...messages.map(({ items }) => items.length)),
      bytes: Math.max(...messages.map(({ message }) => message.data.length)),
    };
    return messages;
  }

  async #collect(feed: Feed, opened: Opened, max: number): Promise<readonly TakenMessage[]> {
    const taken: TakenMessage[] = [];
    let count = 0;
    for (let message = feed.first; message !== undefined; message = feed.first) {
      const { deliveryCount } = message.info;
      // A message that ended a process twice is taken alone, so that it ends no others and they need not wait for its count.
      const isSuspect = deliveryCount > Math.min(this.#settings.maxTries, 2);
      if (isSuspect && taken.length > 0) break;
      const items = messageLines(message);
      if (count > 0 && count + items.length > max) break;
      feed.shift();
      if (deliveryCount > this.#settings.maxTries && (await this.#isSpent(message, feed, opened))) {
        await this.#giveUp(message, opened);
        continue;
      }
      taken.push({ message, items });
      count += items.length;
      if (isSuspect) break;
    }
    return taken;
  }

  async #isSpent(message: JsMsg, feed: Feed, { tries }: Opened): Promise<boolean> {
    try {
      return (await tries.count(message)) >= this.#settings.maxTries;
    } catch (thrown) {
      feed.putBack(message);
      throw thrown;
    }
  }

  async #giveUp(message: JsMsg, { outbox, claims }: Opened): Promise<void> {
    try {
      await outbox.giveUp(message, `it was tried ${this.#settings.maxTries} times without a result`);
      await outbox.acknowledge(message);
      claims.delete(message);
    } catch (thrown) {
      claims.release(message, laterMs);
      throw thrown;
    }
  }

  #wanted(max: number): number {
    const { items, bytes } = this.#size;
    const count = Math.min(Math.ceil(max / items), Math.floor(mostBytes / Math.max(bytes, 1)), mostMessages);
    return Math.max(count, 1);
  }

  #feedOf({ place, claims, standing, feeds }: Opened, signal: AbortSignal): Feed {
    const known = feeds.get(signal);
    if (known !== undefined) return known;
    const feed = new Feed(place.consumer, claims, standing);
    feeds.set(signal, feed);
    const stop = () => {
      feeds.delete(signal);
      feed.stop();
    };
    // A busy lane takes nothing more: return what has arrived for it now.
    signal.addEventListener("abort", stop, { once: true });
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
    const feeds = new Map<AbortSignal, Feed>();
    let isCurrent = true;
    const standing = new Standing(this.#settings.connection, async () => {
      if (isCurrent) {
        const { identity } = await openStream(this.#settings);
        if (identity === place.identity) return;
      }
      if (isCurrent) {
        isCurrent = false;
        this.#opened = undefined;
        // The new consumer delivers everything again.
        claims.forget();
        for (const feed of feeds.values()) feed.stop();
      }
      throw new OtherConsumerError("the consumer or its stream was deleted and created again");
    });
    const outbox = new Outbox(this.#settings, place);
    return { place, claims, outbox, standing, feeds, tries: new Tries(this.#settings, place) };
  }
}
