import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { DecernError } from "@decern/core";

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

const newline = 0x0a;

/** What a decoder puts in the place of bytes that are not UTF-8. */
const replacement = "\ufffd";

/** A line without its end, or `undefined` for one that is too long. What is not UTF-8 is empty: it isn't JSON either. */
export type Line = string | undefined;

/** Splits bytes into lines of UTF-8. It keeps no more than one line, and of a line that is too long nothing. */
export class LineSplitter {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @returns the lines that end in these bytes */
  push(bytes: Buffer): readonly Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      lines.push(
        this.#size === 0 ? this.#text(bytes, start, end) : this.#endWith(bytes.subarray(start, end)),
      );
      start = end + 1;
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start));
    return lines;
  }

  /** @returns what follows the last newline, if anything does */
  end(): readonly Line[] {
    return this.#size === 0 ? [] : [this.#endWith(Buffer.alloc(0))];
  }

  #text(bytes: Buffer, start: number, end: number): Line {
    return end - start > this.#maxBytes ? undefined : textOf(bytes, start, end);
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.#maxBytes) {
      this.#pieces = [];
      return;
    }
    // Joined to those that are no longer: a byte that arrives alone takes two hundred, as long as it stays alone.
    let piece = bytes;
    for (let last = this.#pieces.at(-1); last !== undefined && last.length <= piece.length; ) {
      piece = Buffer.concat([last, piece]);
      this.#pieces.pop();
      last = this.#pieces.at(-1);
    }
    this.#pieces.push(piece);
  }

  #endWith(bytes: Buffer): Line {
    this.#keep(bytes);
    const line = this.#size > this.#maxBytes ? undefined : textOf(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#size = 0;
    return line;
  }
}

function textOf(bytes: Buffer, start = 0, end = bytes.length): string {
  const text = bytes.toString("utf8", start, end);
  // Its input must not be evaluated with other text than was sent. To look at each line's bytes first would cost more.
  return text.includes(replacement) && !isUtf8(bytes.subarray(start, end)) ? "" : text;
}

/**
 * About how many characters a piece has. V8 and the allocator give a long text pages of memory of its own, which the system has
 * to clear first: for the reply to a batch that took more time than the evaluations. Node also encodes texts up to 16 KiB
 * without allocating anything.
 */
const pieceLength = 15_000;

/** Text that is made of many small texts and written as few larger ones. */
export class TextPieces {
  #pieces: string[] = [];
  #text = "";
  #cutLength = 0;

  /** How many characters {@link take} would return. */
  get length(): number {
    return this.#cutLength + this.#text.length;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= pieceLength) this.#cut();
  }

  /** Everything that was added since the last call. */
  take(): readonly string[] {
    if (this.#text !== "") this.#cut();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#cutLength = 0;
    return pieces;
  }

  #cut(): void {
    this.#pieces.push(this.#text);
    this.#cutLength += this.#text.length;
    this.#text = "";
  }
}

// Kept from before anybody's test puts a fake in its place, under which no stream would end.
const setTimer = globalThis.setTimeout;

/**
 * The moment from which no more of a stream is read, because the service is closing.
 *
 * An `AbortSignal` would do, but it looks through all its listeners whenever one is added or removed. With ten thousand open
 * streams, that cost each of them 30 microseconds of processor time.
 */
export class StreamEnd {
  readonly #listeners = new Set<() => void>();
  #hasCome = false;

  /**
   * @param closing - aborted when the service starts to close
   * @param afterMs - how long streams may continue after that, in milliseconds
   */
  constructor(closing: AbortSignal, afterMs: number) {
    closing.addEventListener("abort", () => setTimer(() => this.#come(), afterMs).unref(), { once: true });
  }

  get hasCome(): boolean {
    return this.#hasCome;
  }

  /** Calls back when the moment comes, unless {@link forget} is called first. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  forget(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  #come(): void {
    this.#hasCome = true;
    for (const listener of this.#listeners) listener();
  }
}
