import type { BulkStatus } from "@decern/core";
import type { ManifestPart, PartResult } from "../manifest/manifest.js";
import type { PartJob } from "../part/part-job.js";
import type { Revision } from "../revision/revision.js";

/** Evaluates the parts of a file, in this thread or in others. */
export interface Crew {
  readonly revision: Revision;
  /** Names of the available output forms. */
  readonly emits: readonly string[];
  /** Those who make so many parts: no more than there are parts. */
  members(parts: number): Promise<readonly CrewMember[]>;
  close(): Promise<void>;
}

export interface CrewMember {
  /** Rejects where the part cannot be made, and once the job is stopped. */
  make(job: PartJob, part: ManifestPart, onBlock: OnBlock): Promise<PartResult>;
}

/** Called while a part is made, with its counts so far. */
export type OnBlock = (counts: Readonly<Record<BulkStatus, number>>) => void;

/** A fault of the decision, as it can go from thread to thread. */
export interface LineFault {
  readonly line: string;
  readonly error: unknown;
}
