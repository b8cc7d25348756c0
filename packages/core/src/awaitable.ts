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

/** Runs `work`, a user's callback, and gives up on its answer after `timeoutMs`. The timer never outlives the answer. */
export async function withDeadline<T>(
  work: () => Awaitable<T>,
  timeoutMs: number,
  onTimeout: () => Error,
): Promise<T> {
  const answer = work();
  if (!isThenable(answer)) return answer;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), timeoutMs);
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
