/** A value, or a promise of it. Synchronous results stay synchronous: nobody pays for an `await` that is not needed. */
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
    // Not a promise, but something that only looks like one.
  }
}
