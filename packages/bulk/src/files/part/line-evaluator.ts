import type { BulkStatus, DecernError } from "@decern/core";

/** Evaluates the inputs of one part. It never throws: a failure becomes the result of its line. */
export interface LineEvaluator {
  /** @param text - JSON text */
  json(line: number, text: string): LineResult;
  value(line: number, input: unknown): LineResult;
  refuse(line: number, error: DecernError): LineResult;
}

export interface LineResult {
  readonly status: BulkStatus;
  /** `undefined` where the line has no output. */
  readonly text: string | undefined;
}
