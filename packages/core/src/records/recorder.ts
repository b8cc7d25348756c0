import type { Decision, UsedEvaluation } from "../definition/decision.js";
import type { DecernError } from "../errors.js";
import type { Result } from "../program/result.js";
import type { RecordStatus, SelectedBy } from "./decision-record.js";

/** Takes the evaluations of one host down. It never throws. */
export interface Recorder {
  /**
   * Asks for room for one more record. If there is none, the call must not be evaluated. The log tells its host's logger why: hosts
   * do not log these calls.
   */
  admit(): boolean;
  /**
   * Whether the next evaluation of a list or a stream is to begin now. They wait while the log has half of what it can hold, so
   * that however fast they are, single calls find room. It becomes `true` in any case: where the log stays down, and where it
   * is closed, each evaluation has the outcome that a single call has.
   */
  readonly hasRoomForMany: boolean;
  /**
   * Decides whether an evaluation is recorded.
   *
   * @param share - the share of calls that was evaluated at all. @default 1
   * @returns `undefined` when it is not in the sample
   */
  choose(decisionId: string, status: RecordStatus, share?: number): RecordTicket | undefined;
  /**
   * Takes an evaluation down. All of it has been read on return, because hosts change what they gave.
   *
   * @returns what to wait for before anything leaves; it rejects with a DecernError `RECORD_UNAVAILABLE` when the outcome must
   *   not leave. `undefined` when there is nothing to wait for
   */
  record(ticket: RecordTicket, evaluation: RecordedEvaluation): Promise<void> | undefined;
}

/** The right to one record. */
export interface RecordTicket {
  /** Absent where the record is dropped for lack of room: it is only counted, and the reply names none. */
  readonly recordId: string | undefined;
  readonly sampleRate: number;
}

/** An evaluation that ended. */
export interface RecordedEvaluation {
  /** The version that was evaluated. */
  readonly decision: Decision;
  readonly requestId: string;
  readonly epochMs: number;
  readonly durationSeconds: number;
  readonly caller: string | undefined;
  readonly traceparent: string | undefined;
  readonly selectedBy: SelectedBy;
  /** Of a shadow: the id of the record of the call beside which it ran. Absent where that call is not recorded. */
  readonly shadowOf?: string | undefined;
  readonly input: unknown;
  /** The one that was evaluated with. */
  readonly profile: unknown;
  /** Whether a caller or a hook brought that profile. Otherwise it is the host's. */
  readonly hasOwnProfile: boolean;
  /** Whether other calls of the same request have that profile too. It is frozen. @default false */
  readonly sharesProfile?: boolean | undefined;
  /** Absent on a refusal and on a fault. */
  readonly result: Result | undefined;
  readonly error: DecernError | undefined;
  readonly used: readonly UsedEvaluation[];
}
