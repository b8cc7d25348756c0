import { DecernError } from "../errors.js";
import type { RecordStatus } from "../records/decision-record.js";
import type { Recorder } from "../records/recorder.js";
import type { Evaluation } from "./evaluation.js";

/** What a pipeline does for a decision log. */
export class Recording {
  readonly recorder: Recorder;

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  /** Aborts an evaluation that could not be recorded. */
  admit(evaluation: Evaluation): void {
    if (this.recorder.admit()) return;
    evaluation.aborted ??= { thrown: new DecernError("RECORD_UNAVAILABLE") };
  }

  /** Decides whether an evaluation is recorded, before its outcome is encoded: the reply has the id of the record. */
  choose(evaluation: Evaluation, status: RecordStatus): void {
    const isRefused = evaluation.error?.code === "RECORD_UNAVAILABLE";
    evaluation.ticket = isRefused ? undefined : this.recorder.choose(evaluation.decision.id, status);
  }

  keep(evaluation: Evaluation): void {
    const { ticket } = evaluation;
    if (ticket !== undefined) evaluation.recorded = this.recorder.record(ticket, evaluation);
  }
}
