import { ignoreRejection, readable } from "./callbacks.js";
import { DecernError } from "./errors.js";

/** Where time comes from. Give your own to make evaluations repeatable. */
export interface Clock {
  /** Wall-clock time, in milliseconds since the Unix epoch. */
  now(): number;
  /** A clock that never goes back, in milliseconds; only differences mean something. */
  monotonic(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** Tells whether a number is an instant that a date can hold. */
export function isInstant(epochMs: unknown): epochMs is number {
  return typeof epochMs === "number" && Math.abs(epochMs) <= 8.64e15;
}

let lastMs = Number.NaN;

let lastText = "";

/**
 * Writes an instant as ISO 8601 UTC. `toISOString` costs more than most decisions, so the text is kept while the
 * millisecond lasts.
 */
export function isoTimestamp(epochMs: number): string {
  if (epochMs !== lastMs) {
    lastText = new Date(epochMs).toISOString();
    lastMs = epochMs;
  }
  return lastText;
}

const pattern = /^[A-Za-z0-9._-]{1,128}$/;

/** Tells whether a text may be a request id: 1 to 128 of `A-Z a-z 0-9 . _ -`. */
export function isRequestId(text: string): boolean {
  return pattern.test(text);
}

/** Keeps the first of some headers, such as a caller's `x-request-id`, that is a valid id, else makes a fresh UUID. */
export function requestIdFrom(...headers: readonly unknown[]): string {
  for (const header of headers) if (typeof header === "string" && isRequestId(header)) return header;
  return crypto.randomUUID();
}

/** Reads a host's clock, which may fail. */
export class Timekeeper {
  readonly #clock: Clock;
  readonly #measures: boolean;

  /** @param measures - whether anybody wants durations */
  constructor(clock: Clock, measures: boolean) {
    this.#clock = clock;
    this.#measures = measures;
  }

  /** @throws DecernError `INTERNAL_ERROR` when the clock does not tell the time */
  instant(): number {
    try {
      const epochMs = this.#clock.now();
      if (isInstant(epochMs)) return epochMs;
    } catch (thrown) {
      throw new DecernError("INTERNAL_ERROR", { detail: "the clock failed", cause: readable(thrown) });
    }
    throw new DecernError("INTERNAL_ERROR", { detail: "the clock did not return an instant" });
  }

  /** When something starts, for {@link since}. */
  start(): number {
    if (!this.#measures) return 0;
    try {
      return Number(this.#clock.monotonic());
    } catch {
      return Number.NaN;
    }
  }

  /** Seconds: finite and never negative, whatever the clock says. */
  since(startedMs: number): number {
    const seconds = (this.start() - startedMs) / 1000;
    return seconds > 0 && seconds < Number.POSITIVE_INFINITY ? seconds : 0;
  }
}

/** Where errors are logged. Pino's and Fastify's loggers are of this shape. */
export interface Logger {
  error(details: Readonly<Record<string, unknown>>, message: string): void;
  /** Called with warnings at start. Optional. */
  warn?(details: Readonly<Record<string, unknown>>, message: string): void;
  /** Called with who looked at records, and with the heads of their chains. Optional. */
  info?(details: Readonly<Record<string, unknown>>, message: string): void;
}

/** Writes to standard error. */
export const consoleLogger: Required<Logger> = {
  error: (details, message) => {
    try {
      console.error(message, details);
    } catch {
      // What was thrown cannot even be written; that something was, can.
      console.error(message);
    }
  },
  warn: (details, message) => console.warn(message, details),
  // `console.info` would write to standard output.
  info: (details, message) => console.warn(message, details),
};

/** The logger that an option asks for. @param standard - without the option */
export function loggerOf(given: Logger | false | undefined, standard: Logger = consoleLogger): Logger {
  return given === false ? silent : (given ?? standard);
}

const silent: Logger = { error() {} };

/** A logger whose own failure breaks nothing: what it received is lost, and the evaluation continues. */
export function neverThrowing(logger: Logger = consoleLogger): Required<Logger> {
  const tell = (write: () => unknown): void => {
    try {
      // Nothing waits for a log; one that is asynchronous all the same must not end the process.
      ignoreRejection(write());
    } catch {
      // There is nowhere to report it.
    }
  };
  return {
    error: (details, message) => tell(() => logger.error(details, message)),
    warn: (details, message) => tell(() => logger.warn?.(details, message)),
    info: (details, message) => tell(() => logger.info?.(details, message)),
  };
}
