import { DecernError } from "./errors.js";
import { readable } from "./faults.js";

/** A value, or a promise of it. Synchronous results stay synchronous: no caller pays for an `await` that is not needed. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Tells whether a value is a promise or behaves as one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== "object" || value === null) return false;
  // Reading what is absent is cheaper than `in`, and what every rule emits comes through here.
  const { then }: { readonly then?: unknown } = value;
  return typeof then === "function";
}

/** Lets a promise that no code waits for reject without ending the process. */
export function ignoreRejection(value: unknown): void {
  try {
    if (isThenable(value)) value.then(undefined, () => {});
  } catch {
    // Not a promise, but something that only looks like one.
  }
}

/** Awaiting it takes one turn, in which a {@link Settlement} notices a promise that has settled already. */
export const oneTurn = Promise.resolve();

/**
 * How a promise that a user's callback returned settles. The timer never outlives the promise, and there is none for a
 * promise that has settled after {@link oneTurn}: a timer costs more than an evaluation.
 */
export class Settlement<T> {
  readonly #promise: Promise<T>;
  #value: { readonly value: T } | undefined = undefined;
  #isSettled = false;

  constructor(returned: PromiseLike<T>) {
    this.#promise = Promise.resolve(returned);
    this.#promise.then(
      (value) => {
        this.#isSettled = true;
        this.#value = { value };
      },
      () => {
        this.#isSettled = true;
      },
    );
  }

  /** What the promise has resolved to. */
  get value(): { readonly value: T } | undefined {
    return this.#value;
  }

  /**
   * Settles as the promise does.
   *
   * @param name - of the callback, for the message
   * @throws DecernError (rejects with it) `HOOK_TIMEOUT` after `timeoutMs`
   */
  within(name: string, timeoutMs: number): Promise<T> {
    if (this.#isSettled) return this.#promise;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new DecernError("HOOK_TIMEOUT", { detail: `${name} did not settle within ${timeoutMs} ms` }));
      }, timeoutMs);
      const stop = (): void => clearTimeout(timer);
      this.#promise.then(stop, stop);
      this.#promise.then(resolve, reject);
    });
  }
}

/**
 * Runs `work`, a user's callback, and gives up on its promise after `timeoutMs`. What it returns or throws immediately comes
 * through immediately.
 *
 * @param name - of the callback, for the message
 */
export function withDeadline<T>(name: string, timeoutMs: number, work: () => Awaitable<T>): Awaitable<T> {
  const returned = work();
  return isThenable(returned) ? settleWithin(name, timeoutMs, returned) : returned;
}

/** As {@link withDeadline}, for a promise that a callback returned. */
export async function settleWithin<T>(name: string, timeoutMs: number, returned: PromiseLike<T>): Promise<T> {
  const settlement = new Settlement(returned);
  await oneTurn;
  return settlement.value === undefined ? settlement.within(name, timeoutMs) : settlement.value.value;
}

// Kept from before anybody's test puts a fake in its place, under which no batch would continue.
const later = globalThis.setTimeout;

/** How long to wait before looking again, in milliseconds. */
const retryMs = 20;

/**
 * What waits in one host until it finds something, in the order in which it began to look. All share a timer: with one for each,
 * a thousand streams that waited took 7 % of a core, and that of a service which has no time to spare.
 */
export class Lookout {
  readonly #waiting = new Set<() => boolean>();

  /** Looks until there is something. @param look - returns `undefined` while there is nothing; it must not throw */
  find<T extends {}>(look: () => T | undefined): Awaitable<T> {
    return (
      look() ??
      new Promise((resolve) => {
        this.#waiting.add(() => {
          const one = look();
          if (one !== undefined) resolve(one);
          return one !== undefined;
        });
        if (this.#waiting.size === 1) later(this.#lookAgain, retryMs);
      })
    );
  }

  readonly #lookAgain = (): void => {
    for (const look of this.#waiting) if (look()) this.#waiting.delete(look);
    if (this.#waiting.size > 0) later(this.#lookAgain, retryMs);
  };
}

/** Other requests wait no longer than this for the event loop. */
const sliceMs = 5;

/**
 * Runs a generator to its end without keeping the event loop to itself.
 *
 * @param isWanted - whether somebody still waits for the value
 * @returns `undefined` when no client waits any more
 */
export async function runInSlices<Value>(
  steps: Generator<void, Value>,
  isWanted: () => boolean,
): Promise<Value | undefined> {
  while (isWanted()) {
    const end = performance.now() + sliceMs;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return undefined;
}

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

/** Reads a host's clock, which may fail. */
export class Timekeeper {
  readonly #clock: Clock;
  readonly #measures: boolean;

  /** @param measures - whether anybody wants durations */
  constructor(clock: Clock, measures: boolean) {
    this.#clock = clock;
    this.#measures = measures;
  }

  /**
   * @param chosenAtMs - what the machine's clock said when the call chose its set
   * @throws DecernError `INTERNAL_ERROR` when the clock does not tell the time
   */
  instant(chosenAtMs?: number): number {
    if (chosenAtMs !== undefined && this.#clock === systemClock) return chosenAtMs;
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
