import type { InputFormatName } from "../formats/input-format.js";

/** What all parts of a job share. It goes from thread to thread. */
export interface PartJob {
  readonly input: string;
  readonly output: string;
  readonly format: InputFormatName;
  readonly details: unknown;
  readonly emit: string;
  readonly key: string | undefined;
  /** The instant of all evaluations, in milliseconds since the Unix epoch. */
  readonly epochMs: number;
  readonly build: string | undefined;
  readonly maxLine: number;
  readonly secret: Uint8Array;
}
