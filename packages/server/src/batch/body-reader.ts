import type { Readable } from "node:stream";
import { DecernError } from "@decern/core";
import type { StreamEnd } from "../lifecycle/stream-end.js";

// Kept from before anybody's test puts a fake in their place, under which no stream would end.
const { setTimeout: later, clearTimeout: cancel, setImmediate: afterArrivals } = globalThis;

const events = ["readable", "end", "close"] as const;

/** How long a body may take. */
export interface BodyLimits {
  /** How long to wait for the next byte, in milliseconds. */
  readonly idleMs: number;
  /** When to stop because the service is closing. */
  readonly streamEnd: StreamEnd;
}

/**
 * Reads the bytes of a request one piece at a time: nothing arrives unless somebody asks for it. It has one timer, and does
 * nothing while it waits: a service may have thousands of streams that are idle.
 */
export class BodyReader {
  readonly #body: Readable;
  readonly #streamEnd: StreamEnd;
  readonly #timer: NodeJS.Timeout;
  #reads = 0;
  /** Whether the read in progress has waited for too long. */
  #isLate = false;
  #wake: (() => void) | undefined;
  readonly #onEvent = (): void => this.#wake?.();

  constructor(body: Readable, { idleMs, streamEnd }: BodyLimits) {
    this.#body = body;
    this.#streamEnd = streamEnd;
    for (const event of events) body.on(event, this.#onEvent);
    // Stays when the others go: without a listener, an error would end the process.
    body.on("error", this.#onEvent);
    streamEnd.listen(this.#onEvent);
    this.#timer = later(() => this.#onTimer(), idleMs);
  }

  /**
   * @returns what has arrived; `undefined` at the end of the body
   * @throws DecernError `REQUEST_TIMEOUT`, `SERVER_CLOSING`, or `BAD_REQUEST` for a body that broke off
   */
  async read(): Promise<Buffer | undefined> {
    this.#reads += 1;
    for (let isWaiting = false; ; isWaiting = true) {
      if (this.#streamEnd.hasCome) throw new DecernError("SERVER_CLOSING");
      const bytes: unknown = this.#body.read();
      if (Buffer.isBuffer(bytes)) return bytes;
      // A host's hook may have set an encoding.
      if (typeof bytes === "string") return Buffer.from(bytes);
      if (this.isComplete) return undefined;
      if (this.#body.destroyed) throw new DecernError("BAD_REQUEST");
      if (!isWaiting) {
        this.#isLate = false;
        this.#timer.refresh();
      } else if (this.#isLate) {
        throw new DecernError("REQUEST_TIMEOUT");
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Whether the body has been read to its end. */
  get isComplete(): boolean {
    return this.#body.readableEnded;
  }

  /** Stops listening, and lets what is left of the body go by. */
  release(): void {
    cancel(this.#timer);
    this.#streamEnd.forget(this.#onEvent);
    for (const event of events) this.#body.off(event, this.#onEvent);
    if (!this.isComplete) this.#body.resume();
  }

  /** Bytes may have arrived while the event loop was late. They are read first. */
  #onTimer(): void {
    const reads = this.#reads;
    afterArrivals(() => {
      if (this.#reads !== reads) return;
      this.#isLate = true;
      this.#wake?.();
    });
  }
}
