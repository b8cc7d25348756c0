import type { BulkResult, BulkSource, TakenBatch } from "@decern/bulk";
import type { EachBatchPayload, Kafka, KafkaMessage, Producer } from "kafkajs";

export interface KafkaSourceOptions {
  kafka: Kafka;
  /** The consumer group of all workers. */
  groupId: string;
  /** Must stay the same when this worker starts again, and differ from that of every other worker. */
  transactionalId: string;
  inputs: string;
  results: string;
}

/** A batch from KafkaJS, until its messages are committed. */
interface Offer {
  payload: EachBatchPayload;
  left: KafkaMessage[];
  done(error?: unknown): void;
}

export class KafkaSource implements BulkSource {
  readonly #options: KafkaSourceOptions;
  readonly #producer: Producer;
  readonly #consumer;
  #offer: Offer | undefined;
  #wake: () => void = () => {};

  constructor(options: KafkaSourceOptions) {
    const { kafka, groupId, transactionalId } = options;
    this.#options = options;
    this.#producer = kafka.producer({ transactionalId, idempotent: true, maxInFlightRequests: 1 });
    this.#consumer = kafka.consumer({ groupId, readUncommitted: false });
  }

  async start(): Promise<void> {
    await this.#producer.connect(); // aborts a transaction that an earlier process with this transactional id left open
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [this.#options.inputs], fromBeginning: true });
    await this.#consumer.run({
      autoCommit: false, // offsets are part of the transaction
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: (payload) => this.#offerBatch(payload),
    });
  }

  async take(max: number, signal: AbortSignal): Promise<TakenBatch> {
    if (this.#offer === undefined && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    const offer = this.#offer;
    if (offer === undefined || signal.aborted)
      return { items: [], commit: async () => {}, release: async () => {} };
    const messages = offer.left.slice(0, max);
    const { partition } = offer.payload.batch;
    return {
      items: messages.map(({ offset, value }) => ({
        position: `${partition}:${offset}`,
        bytes: value ?? new Uint8Array(), // a tombstone counts as invalid JSON
      })),
      commit: (results) => this.#commit(offer, messages, results),
      release: async () => this.#end(offer, new Error("the worker released the messages")),
    };
  }

  async stop(): Promise<void> {
    if (this.#offer !== undefined) this.#end(this.#offer, new Error("the worker is stopping"));
    await this.#consumer.disconnect();
    await this.#producer.disconnect();
  }

  /** KafkaJS fetches no more from a partition until this has settled. */
  async #offerBatch(payload: EachBatchPayload): Promise<void> {
    const beats = setInterval(() => void payload.heartbeat().catch(() => {}), 2000);
    try {
      await new Promise<void>((resolve, reject) => {
        const done = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
        this.#offer = { payload, left: [...payload.batch.messages], done };
        this.#wake();
      });
    } finally {
      clearInterval(beats);
    }
  }

  /** Writes results and offsets in one transaction. */
  async #commit(
    offer: Offer,
    messages: readonly KafkaMessage[],
    results: readonly BulkResult[],
  ): Promise<void> {
    const { batch, resolveOffset, isStale, isRunning } = offer.payload;
    if (isStale() || !isRunning()) throw new Error("the partition was assigned to another worker");
    const last = messages.at(-1)?.offset ?? "0";
    const transaction = await this.#producer.transaction();
    try {
      await transaction.send({
        topic: this.#options.results,
        messages: messages.map(({ key }, index) => ({
          key,
          value: results[index]?.text ?? null,
          headers: { position: results[index]?.position ?? "" },
        })),
      });
      await transaction.sendOffsets({
        consumerGroupId: this.#options.groupId,
        topics: [
          {
            topic: batch.topic,
            partitions: [{ partition: batch.partition, offset: String(BigInt(last) + 1n) }],
          },
        ],
      });
      await transaction.commit();
    } catch (thrown) {
      await transaction.abort().catch(() => {});
      throw thrown;
    }
    resolveOffset(last);
    offer.left.splice(0, messages.length);
    if (offer.left.length === 0) this.#end(offer);
  }

  #end(offer: Offer, error?: unknown): void {
    if (this.#offer === offer) this.#offer = undefined;
    offer.done(error);
  }
}
