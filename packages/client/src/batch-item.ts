import type { ErrorCode, Result } from "@decern/core";

/** In place of an envelope: evaluating this input failed, and that of the others did not. */
export interface BatchFailure {
  readonly status?: undefined;
  readonly error: string;
  readonly code: ErrorCode | (string & {});
}

/** What came of one input of several. */
export type BatchItem<Output = unknown, RuleId extends string = string> =
  | Result<Output, RuleId>
  | BatchFailure;
