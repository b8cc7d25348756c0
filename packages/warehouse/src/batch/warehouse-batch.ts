import type { RequestView } from "@decern/core";

/** The warehouses that call decisions. */
export type Engine = "bigquery" | "snowflake" | "redshift";

/** One request of a warehouse, without its rows: for `profileResolver` and `caller`. */
export interface WarehouseBatch {
  readonly engine: Engine;
  /** What the engine calls the request: `requestId`, `sf-external-function-query-batch-id` or `request_id`. */
  readonly id: string | undefined;
  /**
   * Who runs the query, as the engine says: `sessionUser`, `sf-context-current-user-base64` (with `CONTEXT_HEADERS = (current_user)`)
   * or `user`.
   */
  readonly user: string | undefined;
  /** BigQuery: `userDefinedContext`. Redshift: `cluster`, `database`, `external_function` and `query_id`. Snowflake: empty. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The HTTP request. Redshift has none. */
  readonly request: RequestView | undefined;
}
