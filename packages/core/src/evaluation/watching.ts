import { readable } from "../copies/readable.js";
import { EvaluationRecord } from "../hooks/evaluation-record.js";
import { notifyObservers } from "../hooks/notify-observers.js";
import type { EvaluationObserver } from "../hooks/observer.js";
import { startTraces } from "../hooks/traces.js";
import type { Evaluation } from "./evaluation.js";
import type { FaultReporter } from "./fault-reporter.js";

/** Lets observers watch evaluations. */
export class Watching {
  readonly observers: readonly EvaluationObserver[];
  readonly #tracers: readonly EvaluationObserver[];
  readonly #failed: (evaluation: Evaluation, thrown: unknown) => void;

  constructor(observers: readonly EvaluationObserver[], reporter: FaultReporter) {
    this.observers = observers;
    this.#tracers = observers.filter(({ onStarted }) => onStarted !== undefined);
    this.#failed = (evaluation, thrown) => reporter.log(evaluation, readable(thrown), "An observer failed");
  }

  start(evaluation: Evaluation): void {
    if (this.#tracers.length === 0) return;
    evaluation.traces = startTraces(this.#tracers, evaluation, this.#failed);
  }

  /** It has its outcome. */
  notify(evaluation: Evaluation): void {
    if (this.observers.length === 0) return;
    notifyObservers(
      this.observers,
      (observer) => observer.onEvaluated(new EvaluationRecord(evaluation, evaluation.durationSeconds)),
      (thrown) => this.#failed(evaluation, thrown),
    );
  }

  /** Its hooks have ended too. */
  end(evaluation: Evaluation): void {
    evaluation.traces?.end(() => new EvaluationRecord(evaluation, evaluation.durationSeconds));
  }
}
