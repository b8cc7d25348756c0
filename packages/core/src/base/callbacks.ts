import { DecernError, ownError } from "./errors.js";

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

/** What we, loggers and frameworks read of an error, wherever it is defined. */
const readNames = [
  "name",
  "message",
  "stack",
  "cause",
  "code",
  "status",
  "statusCode",
  "headers",
  "then",
  "toJSON",
];

/**
 * Anything can be thrown: a proxy, an object whose getters throw. Looking at that would throw again, where no code expects
 * it.
 *
 * @returns what was thrown, or an error of ours that says that it cannot be read
 */
export function readable(thrown: unknown): unknown {
  return isReadable(thrown) ? thrown : unreadable();
}

/** What stands in the place of what cannot be read. */
function unreadable(): DecernError {
  return new DecernError("INTERNAL_ERROR", { detail: "the thrown value cannot be read" });
}

/** Tells whether looking at a value that was thrown throws nothing. */
function isReadable(thrown: unknown): boolean {
  if ((typeof thrown !== "object" && typeof thrown !== "function") || thrown === null) return true;
  try {
    // A function isn't an error, and has properties that may not be read.
    const own = typeof thrown === "object" ? Reflect.ownKeys(thrown) : [];
    for (const key of [...readNames, ...own]) if (key in thrown) Reflect.get(thrown, key);
    if (thrown instanceof Error) String(thrown);
    return true;
  } catch {
    return false;
  }
}

/**
 * Turns whatever was thrown into an error of ours: the one place where it is read. A hook may refuse a call with an error
 * that carries a 4xx status; everything else is an error.
 *
 * @param where - what failed, for the log
 */
export function toFault(thrown: unknown, where: string): DecernError {
  try {
    if (isReadable(thrown)) return faultOf(thrown, where);
  } catch {
    // The first read succeeded, the second one threw.
  }
  return new DecernError("EVALUATION_FAILED", { detail: `${where}: the thrown value cannot be read` });
}

/** Tells whether an error refuses the call, which is the caller's affair, rather than an error of decision or host. */
export function isRefusal(error: DecernError): boolean {
  return isCallerStatus(error.statusCode);
}

function faultOf(thrown: unknown, where: string): DecernError {
  const own = ownError(thrown);
  if (own !== undefined) return own;
  const statusCode =
    typeof thrown === "object" && thrown !== null && "statusCode" in thrown ? thrown.statusCode : undefined;
  return isCallerStatus(statusCode)
    ? new DecernError("EVALUATION_ABORTED", { statusCode, cause: thrown })
    : new DecernError("EVALUATION_FAILED", { detail: where, cause: thrown });
}

function isCallerStatus(status: unknown): status is number {
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 499;
}

/**
 * Returns the form of a thrown value that a host's error handling may get, and may send. The message of one of our own errors
 * is the table's, without its detail; its cause has the rest.
 */
export function maskedError(thrown: unknown): unknown {
  const error = readable(thrown);
  const mine = ownError(error);
  if (mine === undefined) return error;
  return new DecernError(mine.code, { statusCode: mine.statusCode, cause: mine.cause ?? mine });
}

/**
 * Makes an `Error` of a thrown value. Frameworks take `undefined`, and Express some strings, to mean "continue", and send as a
 * reply whatever is not an `Error`. Such a value becomes the cause of one. They also read what they get.
 */
export function asThrowable(thrown: unknown): Error {
  const cause = readable(thrown);
  try {
    return cause instanceof Error ? cause : new DecernError("INTERNAL_ERROR", { cause });
  } catch {
    return unreadable();
  }
}
