import type { BulkStatus, DecernError, Decision, Result, UsedEvaluation } from "@decern/core";

/** A way to write results, besides `compact` and `envelope`. */
export interface BulkEncoder {
  /** Chosen with `emit`. */
  readonly name: string;
  /** Called once for each part: what it returns must depend on its arguments alone, since a part may be made again. */
  encodePart(part: EncodedPart): PartEncoder;
}

/** The part whose results are written. */
export interface EncodedPart {
  /** Number of the first input's line, from 1. */
  readonly firstLine: number;
  /** The instant of all evaluations, in milliseconds since the Unix epoch. */
  readonly epochMs: number;
  readonly build: string | undefined;
  /** Random bytes of the job, the same in all of its runs. They are thrown away when the job has finished. */
  readonly secret: Uint8Array;
}

/** Writes the results of one part, in order. */
export interface PartEncoder {
  /** @returns JSON text on one line, without a line break */
  encode(answer: BulkAnswer): string;
}

/** What came of one input. */
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
