import type { Logger } from "@decern/core";
import type { RecordBatch, RecordStore, RecordWriter } from "../record/record-store.js";

class StoreTimeout extends Error {
  override readonly name = "StoreTimeout";
}

/** @throws StoreTimeout (rejects with it) after `timeoutMs` */
export function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StoreTimeout(`no response within ${timeoutMs} ms`)), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Opens a store to write, with time limits: a hanging store counts as down. */
export class StoreConnection {
  readonly store: RecordStore;
  readonly #timeoutMs: number;
  #writer: RecordWriter | undefined = undefined;
  #lastHead: string | null = null;

  constructor(store: RecordStore, timeoutMs: number) {
    this.store = store;
    this.#timeoutMs = timeoutMs;
  }

  get isOpen(): boolean {
    return this.#writer !== undefined;
  }

  get head(): string | null {
    return this.#writer === undefined ? this.#lastHead : this.#writer.head;
  }

  async open(logger: Required<Logger>): Promise<void> {
    const opening = this.store.open({ logger });
    try {
      this.#writer = await within(this.#timeoutMs, opening);
    } catch (error) {
      // It may still open, but its writer would never be used.
      opening.then(
        (writer) => ignored(writer.close()),
        () => {},
      );
      throw error;
    }
  }

  async write(batch: RecordBatch): Promise<void> {
    if (this.#writer !== undefined) await within(this.#timeoutMs, this.#writer.write(batch));
  }

  /** Gives up the writer, whatever its state. */
  async abandon(): Promise<void> {
    const writer = this.#writer;
    this.#lastHead = this.head;
    this.#writer = undefined;
    if (writer !== undefined) await ignored(within(this.#timeoutMs, writer.close()));
  }

  async close(): Promise<void> {
    await this.abandon();
    await within(this.#timeoutMs, this.store.close());
  }
}

async function ignored(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch {
    // A new writer finds out what is on disk.
  }
}
