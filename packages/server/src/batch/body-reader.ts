import type { Readable } from "node:stream";
import { DecernError } from "@decern/core";

/** How often to look whether the service is closing, in milliseconds. */
const lookMs = 100;

const events = ["readable", "end", "close"] as const;

/** How long a body may take. */
export interface BodyLimits {
  /** How long to wait for the next byte, in milliseconds. */
  readonly idleMs: number;
  /** Whether no more may be read, because the service is closing. */
  readonly mustStop: () => boolean;
}

/** Reads the bytes of a request one piece at a time: nothing arrives unless somebody asks for it. */
export class BodyReader {
  readonly #body: Readable;
  readonly #limits: BodyLimits;
  #wake: (() => void) | undefined;
  readonly #onEvent = (): void => this.#wake?.();

  constructor(body: Readable, limits: BodyLimits) {
    this.#body = body;
    this.#limits = limits;
    for (const event of events) body.on(event, this.#onEvent);
    // Stays when the others go: without a listener, an error would end the process.
    body.on("error", this.#onEvent);
  }

  /**
   * @returns what has arrived; `undefined` at the end of the body
   * @throws DecernError `REQUEST_TIMEOUT`, `SERVER_CLOSING`, or `BAD_REQUEST` for a body that broke off
   */
  async read(): Promise<Buffer | undefined> {
    const { idleMs, mustStop } = this.#limits;
    const endMs = performance.now() + idleMs;
    for (;;) {
      if (mustStop()) throw new DecernError("SERVER_CLOSING");
      const bytes: unknown = this.#body.read();
      if (Buffer.isBuffer(bytes)) return bytes;
      if (this.isComplete) return undefined;
      if (this.#body.destroyed) throw new DecernError("BAD_REQUEST");
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw new DecernError("REQUEST_TIMEOUT");
      await this.#event(Math.min(Math.ceil(leftMs), lookMs));
    }
  }

  /** Whether the body has been read to its end. */
  get isComplete(): boolean {
    return this.#body.readableEnded;
  }

  /** Stops listening, and lets what is left of the body go by. */
  release(): void {
    for (const event of events) this.#body.off(event, this.#onEvent);
    if (!this.isComplete) this.#body.resume();
  }

  #event(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(wake, mostMs);
      this.#wake = wake;
    });
  }
}
