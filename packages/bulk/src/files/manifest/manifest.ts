import type { BulkStatus } from "@decern/core";
import type { InputFormatName, PartRange } from "../formats/input-format.js";
import type { Revision } from "../revision/revision.js";

/** Settings and progress of a job: `manifest.json` in its folder. `manifest.schema.json` of this package describes it. */
export interface Manifest {
  readonly formatVersion: 1;
  readonly state: "running" | "finished";
  readonly input: InputIdentity;
  readonly format: InputFormatName;
  /** What the format knows of the whole file. */
  readonly details?: unknown;
  readonly revision: Revision;
  /** The instant of all evaluations, in ISO 8601. */
  readonly now: string;
  readonly emit: string;
  /** JSON Pointer to the key of each input, if results have it. */
  readonly key?: string;
  readonly partBytes: number;
  readonly maxLine: number;
  /** 32 random bytes in hexadecimal, until the job has finished; for encoders other than our own. */
  readonly secret?: string;
  readonly parts: readonly ManifestPart[];
}

/** Which file it is. */
export interface InputIdentity {
  /** In bytes. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** One file of output. */
export interface ManifestPart extends PartRange {
  /** Its name in the folder. */
  readonly file: string;
  /** Absent until the file is there for good. */
  readonly done?: PartResult;
}

/** What was written. */
export interface PartResult {
  readonly bytes: number;
  /** Of the file's bytes, 64 hexadecimal digits. */
  readonly sha256: string;
  readonly counts: Readonly<Record<BulkStatus, number>>;
}
