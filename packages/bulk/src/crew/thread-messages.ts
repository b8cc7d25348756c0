import { inspect } from "node:util";
import { DecernError, type ErrorCode, type Problem } from "@decern/core";
import { readable } from "@decern/core/tools";
import type { BulkStatus } from "../items/bulk-source.js";
import type { ManifestPart, PartResult, Revision } from "../manifest/manifest.js";
import type { PartJob } from "../parts/part-file.js";

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
interface ThreadError {
  readonly message: string;
  readonly stack: string | undefined;
  /** For a `DecernError`. */
  readonly code: ErrorCode | undefined;
  readonly problems: readonly Problem[];
}

/** What of an error goes to another thread: text, since not everything that is thrown can be copied. */
export function toThreadError(thrown: unknown): ThreadError {
  const error = readable(thrown);
  if (!(error instanceof Error))
    return { message: inspect(error), stack: undefined, code: undefined, problems: [] };
  const isOurs = error instanceof DecernError;
  return {
    message: error.message,
    // With its causes.
    stack: inspect(error),
    code: isOurs ? error.code : undefined,
    problems: isOurs ? error.problems.map(({ path, message }) => ({ path, message })) : [],
  };
}

/** The error again, with the stack that it had in its thread. */
export function fromThreadError({ message, stack, code, problems }: ThreadError): Error {
  const error = code === undefined ? new Error(message) : new DecernError(code, { problems });
  error.message = message;
  if (stack !== undefined) error.stack = stack;
  return error;
}
