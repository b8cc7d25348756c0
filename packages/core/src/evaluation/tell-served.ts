import { readable } from "../copies/readable.js";
import type { Decision } from "../definition/decision.js";
import { notifyObservers } from "../hooks/notify-observers.js";
import type { EvaluationObserver } from "../hooks/observer.js";
import { type Logger, neverThrowing } from "./logger.js";

/** Tells observers what a host serves from now on. */
export function tellServed(
  observers: readonly EvaluationObserver[],
  decisions: readonly Decision[],
  logger: Logger,
): void {
  notifyObservers(
    observers,
    (observer) => observer.onServed?.(decisions),
    (thrown) => neverThrowing(logger).error({ err: readable(thrown) }, "An observer failed"),
  );
}
