import type { BulkStatus, ErrorCode, Problem } from "@decern/core";
import type { ManifestPart, PartResult } from "../manifest/manifest.js";
import type { PartJob } from "../part/part-job.js";
import type { Revision } from "../revision/revision.js";

/** Asks a thread for a part. */
export interface ThreadOrder {
  readonly job: PartJob;
  readonly part: ManifestPart;
}

/** What a thread says. Parts are named by their files: a thread makes several side by side. */
export type ThreadReport =
  | { readonly type: "ready"; readonly revision: Revision; readonly emits: readonly string[] }
  | { readonly type: "block"; readonly file: string; readonly counts: Readonly<Record<BulkStatus, number>> }
  | { readonly type: "fault"; readonly line: string; readonly error: ThreadError }
  | { readonly type: "made"; readonly file: string; readonly result: PartResult }
  | { readonly type: "failed"; readonly error: ThreadError };

/** An error that goes from thread to thread. */
export interface ThreadError {
  readonly message: string;
  readonly stack: string | undefined;
  /** For a `DecernError`. */
  readonly code: ErrorCode | undefined;
  readonly problems: readonly Problem[];
}
