import type { EvaluationEvent, EvaluatorOptions } from "../../packages/core/src/index.js";

/** Options of an evaluator that keep what they were told. */
export function recording() {
  const events: EvaluationEvent[] = [];
  const errors: unknown[] = [];
  const logged: unknown[] = [];
  const options: EvaluatorOptions = {
    hooks: { onError: (_context, error) => void errors.push(error) },
    observers: [{ onEvaluated: (event) => void events.push(event) }],
    logger: { error: (details) => void logged.push(details["err"]) },
    // No test waits this long: a callback that answers must never be given up on a slow machine.
    hookTimeoutMs: 300_000,
  };
  return { options, errors, logged, counted: () => events.map((event) => event.status), events };
}
