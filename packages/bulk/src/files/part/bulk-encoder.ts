import type { BulkStatus, DecernError, Decision, Result, UsedEvaluation } from "@decern/core";

/** A way to write results, besides `compact` and `envelope`. */
export interface BulkEncoder {
  /** Chosen with `emit`. */
  readonly name: string;
  /** Called once for each part. Its result must depend only on its arguments, because a part may be evaluated again. */
  encodePart(part: EncodedPart): PartEncoder;
}

/** The part whose results are written. */
export interface EncodedPart {
  /** Number of the first input's line, from 1. */
  readonly firstLine: number;
  /** The instant of all evaluations, in milliseconds since the Unix epoch. */
  readonly epochMs: number;
  readonly build: string | undefined;
  /** Random bytes of the job, the same in all of its runs. They are deleted when the job has finished. */
  readonly secret: Uint8Array;
}

/** Writes the results of one part, in order. */
export interface PartEncoder {
  /** @returns JSON text on one line, without a line break at the end */
  encode(answer: BulkAnswer): string;
  /**
   * Writes the result of an unreadable line: one that is not JSON or too long.
   *
   * @returns `undefined` to leave it out
   * @default `{"line":…,"error":…,"code":…}`
   */
  refuse?(line: number, error: DecernError): string | undefined;
}

/** The result of one input. */
export interface BulkAnswer {
  readonly line: number;
  readonly status: BulkStatus;
  readonly decision: Decision;
  /** `undefined` for what was not JSON. */
  readonly input: unknown;
  readonly profile: unknown;
  readonly used: readonly UsedEvaluation[];
  readonly result: Result | undefined;
  readonly error: DecernError | undefined;
}
