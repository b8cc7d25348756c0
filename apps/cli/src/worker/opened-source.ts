import type { BulkSource } from "@decern/bulk";
import type { Decision } from "@decern/core";

/** A source of a worker, and what it is connected to. */
export interface OpenSource {
  readonly source: BulkSource;
  /** For people: where inputs come from, without a password. */
  readonly name: string;
  /** Resolves to the reason when the source has lost its server for good. */
  readonly lost: Promise<string>;
  end(): Promise<void>;
}

/** What the source must know about the worker. */
export interface SourceUser {
  readonly decision: Decision;
  readonly profiles: Readonly<Record<string, unknown>>;
  readonly lanes: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}
