import type { DecisionSchema } from "@decern/core";
import type { TableAnalysis, TableCall, TableMarks } from "@decern/table/browser";
import type { DocsContent } from "../model/data.js";

/** What a page sends its worker: first the table, then what it wants to know of it. */
export type ToWorker =
  | {
      readonly kind: "open";
      readonly id: string;
      readonly content: DocsContent;
      /** Of what callers send. */
      readonly schemas: Pick<DecisionSchema, "inputSchema" | "profileSchema">;
    }
  | Asked;

export type Asked =
  | { readonly kind: "mark"; readonly ticket: number; readonly call: TableCall }
  | { readonly kind: "analyze"; readonly ticket: number; readonly profile: unknown };

/** What the worker replies, with the ticket of what was asked. */
export interface Told {
  readonly ticket: number;
  readonly marks?: TableMarks;
  readonly analysis?: TableAnalysis;
  /** Why there is neither. */
  readonly problem?: string;
}
