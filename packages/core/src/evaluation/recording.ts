import { ignoreRejection } from "../awaitable.js";
import { DecernError } from "../errors.js";
import type { RecordStatus } from "../records/decision-record.js";
import type { Recorder } from "../records/recorder.js";
import type { Encoder } from "./encoder.js";
import type { Evaluation } from "./evaluation.js";
import { toFault } from "./fault.js";

/** Makes room for the record of an evaluation, and aborts the evaluation where there is none. */
export function admit(evaluation: Evaluation, recorder: Recorder | undefined): void {
  if (recorder === undefined) return;
  if (recorder.admit()) evaluation.recorder = recorder;
  // What has failed already stays as it is.
  else evaluation.aborted ??= { thrown: new DecernError("RECORD_UNAVAILABLE") };
}

/** Decides whether an evaluation is recorded, before its outcome is encoded: the reply has the id of the record. */
export function choose(evaluation: Evaluation, status: RecordStatus): void {
  evaluation.ticket = evaluation.recorder?.choose(evaluation.decision.id, status);
}

/** Records an evaluation that ended. */
export function keep(evaluation: Evaluation): void {
  const { recorder, ticket } = evaluation;
  if (recorder === undefined || ticket === undefined) return;
  evaluation.recorded = recorder.record(ticket, evaluation);
  // It may reject while a hook runs, before anybody waits for it.
  ignoreRejection(evaluation.recorded);
}

/**
 * Waits for the record of an evaluation. An outcome that is not on record does not leave; a fault does, without a record id.
 *
 * @param report - told of what made the record fail, unless the evaluation had failed anyway
 */
export async function onceRecorded<Output, Ended>(
  evaluation: Evaluation,
  ended: Ended,
  encoder: Encoder<Output, Ended>,
  report: (error: DecernError) => Promise<void>,
): Promise<Ended> {
  try {
    await evaluation.recorded;
    return ended;
  } catch (thrown) {
    evaluation.ticket = undefined;
    if (evaluation.error !== undefined) return encoder.fault(evaluation.error, evaluation);
    const error = toFault(thrown, "the decision log");
    await report(error);
    return encoder.fault(error, evaluation);
  }
}
