import { ignoreRejection } from "../awaitable.js";

/** How a piece of work ended. */
export type Ended<T> = { readonly value: T } | { readonly thrown: unknown };

/**
 * Has somebody else run a piece of work, to watch it. It runs once, even if they run it twice, or not at all; what they return
 * or throw changes nothing.
 *
 * @param tell - gives the work to whoever watches
 * @param failed - told what they threw
 * @returns what the work returns, or throws what it throws
 */
export function runWatched<T>(
  work: () => T,
  tell: (run: () => Ended<T>) => unknown,
  failed: (thrown: unknown) => void,
): T {
  let ended: Ended<T> | undefined;
  const run = (): Ended<T> => {
    ended ??= attempt(work);
    return ended;
  };
  try {
    ignoreRejection(tell(run));
  } catch (thrown) {
    failed(thrown);
  }
  const end = run();
  if ("thrown" in end) throw end.thrown;
  return end.value;
}

function attempt<T>(work: () => T): Ended<T> {
  try {
    return { value: work() };
  } catch (thrown) {
    return { thrown };
  }
}
