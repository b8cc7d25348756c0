/** What a worker process does. */
export interface PostgresWork {
  readonly connection: { readonly host: string; readonly user: string; readonly database: string };
  readonly kind: "inbox" | "chunks";
  /** Of the inbox, or of the job and its table. */
  readonly name: string;
  /** Inputs that it answers before it is timed. */
  readonly warmUp: number;
}
