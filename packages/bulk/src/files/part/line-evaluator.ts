import type { BulkResult, DecernError } from "@decern/core";

/** Evaluates the inputs of one part. It never throws: what fails is the result of that line. */
export interface LineEvaluator {
  /** @param text - JSON text */
  json(line: number, text: string): LineResult;
  value(line: number, input: unknown): LineResult;
  refuse(line: number, error: DecernError): LineResult;
}

export type LineResult = Pick<BulkResult, "status" | "text">;
