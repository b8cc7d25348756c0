/** A value, or a promise of it. Synchronous answers stay synchronous: nobody pays for an `await` that is not needed. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Tells whether a value is a promise or behaves as one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== "object" || value === null) return false;
  // Reading what is absent is cheaper than `in`, and what every rule emits comes through here.
  const { then }: { readonly then?: unknown } = value;
  return typeof then === "function";
}

/** Lets a promise that nobody waits for reject without ending the process. */
export function ignoreRejection(value: unknown): void {
  try {
    if (isThenable(value)) value.then(undefined, () => {});
  } catch {
    // No promise, but something that only looks like one.
  }
}

const settled = Promise.resolve();

/**
 * Runs `work`, a user's callback, and gives up on its promise after `timeoutMs`. What it returns or throws at once comes
 * through at once. The timer never outlives the promise, and there is none for a promise that has settled already: a timer
 * costs more than an evaluation.
 */
export function withDeadline<T>(
  work: () => Awaitable<T>,
  timeoutMs: number,
  onTimeout: () => Error,
): Awaitable<T> {
  const returned = work();
  if (!isThenable(returned)) return returned;
  return new Promise((resolve, reject) => {
    let isSettled = false;
    let timer: NodeJS.Timeout | undefined;
    const settle = (): void => {
      isSettled = true;
      if (timer !== undefined) clearTimeout(timer);
    };
    Promise.resolve(returned).then(
      (value) => {
        settle();
        resolve(value);
      },
      (thrown: unknown) => {
        settle();
        reject(thrown);
      },
    );
    // Its turn comes after the one of a promise that has settled already.
    settled.then(() => {
      if (!isSettled) timer = setTimeout(() => reject(onTimeout()), timeoutMs);
    });
  });
}
