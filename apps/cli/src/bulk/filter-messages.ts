import type { BulkFilterSummary, Emit } from "@decern/bulk";
import type { BulkSettings } from "./bulk-settings.js";

/** What the thread of a filter is started with. */
export interface FilterOrder {
  readonly data: BulkSettings;
  readonly emit: Emit | undefined;
  readonly key: string | undefined;
  readonly now: Date | undefined;
  readonly maxLine: number | undefined;
}

/** What the thread is sent: bytes of the input, or `null` once it has ended. */
export type FilterInput = Uint8Array | null;

/** What the thread says. */
export type FilterReport =
  /** It takes one more piece of the input. */
  | { readonly type: "more" }
  /** Whole lines for the output. */
  | { readonly type: "results"; readonly text: string }
  | { readonly type: "finished"; readonly counts: BulkFilterSummary["counts"] };
