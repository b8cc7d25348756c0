import { type Awaitable, isThenable } from "./awaitable.js";
import { DecernError } from "./errors.js";

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
 * Runs `work`, a user's callback, and gives up on its promise after `timeoutMs`. What it returns or throws at once comes
 * through at once.
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
