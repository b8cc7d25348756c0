import { ignoreRejection } from "../awaitable.js";
import type { EvaluationObserver } from "./observer.js";

/**
 * Tells observers, none of which can break anything.
 *
 * @param tell - makes an event for each observer, so that none can deceive the next
 * @param failed - told what an observer threw
 */
export function notifyObservers(
  observers: readonly EvaluationObserver[],
  tell: (observer: EvaluationObserver) => unknown,
  failed: (thrown: unknown) => void,
): void {
  for (const observer of observers) {
    try {
      // Nobody waits for an observer; one that is asynchronous all the same must not end the process.
      ignoreRejection(tell(observer));
    } catch (thrown) {
      failed(thrown);
    }
  }
}
