/** What is needed of a `pg.Pool`. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  connect(): Promise<PostgresClient>;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** What is needed of a `pg.PoolClient`. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  release(destroy?: boolean): void;
}

export interface PostgresResult {
  readonly rows: readonly object[];
  readonly rowCount: number | null;
}
