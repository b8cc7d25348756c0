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

/** A statement of SQL and its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Text of a column; `null` for NULL. */
export function textOf(row: object | undefined, column: string): string | null {
  const value: unknown = row === undefined ? null : Reflect.get(row, column);
  return value === null || value === undefined ? null : String(value);
}

/** Number of a column. Columns of type bigint are selected as text, because a host may have changed how they are read. */
export function numberOf(row: object | undefined, column: string): number {
  return Number(textOf(row, column));
}

/**
 * Runs `work` on a connection of its own, and returns the connection to the pool. One on which anything failed is closed: a
 * transaction or a lock may be open on it.
 */
export async function withClient<Value>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<Value>,
): Promise<Value> {
  const client = await takeClient(pool);
  let isBroken = true;
  try {
    const value = await work(client);
    isBroken = false;
    return value;
  } finally {
    giveBack(client, isBroken);
  }
}

/** Begins a transaction. What the database does by default may be another isolation, or to refuse every change. */
export const beginning = "begin isolation level read committed read write";

/** Runs `work` in a transaction. */
export function inTransaction<Value>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<Value>,
): Promise<Value> {
  return withClient(pool, async (client) => {
    await client.query(beginning);
    const value = await work(client);
    await client.query("commit");
    return value;
  });
}

/** Takes a connection out of the pool. */
export async function takeClient(pool: PostgresPool): Promise<PostgresClient> {
  const client = await pool.connect();
  client.on("error", ignore);
  return client;
}

export function giveBack(client: PostgresClient, isBroken: boolean): void {
  client.release(isBroken);
  client.off("error", ignore);
}

/**
 * A connection that breaks rejects its query, and emits an error as well. Without a listener, that would end the process. The
 * pool replaces the connection.
 */
export function ignore(): void {}

/** Waits until no other transaction has the lock of this name, and holds it until the end of this one. */
export async function lockUntilCommit(client: PostgresClient, name: string): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [name]);
}

/** Whether there is a table. */
export async function exists(client: Pick<PostgresClient, "query">, table: string): Promise<boolean> {
  const { rows } = await client.query("select 1 where to_regclass($1) is not null", [table]);
  return rows.length > 0;
}

/**
 * Says what PostgreSQL could not do, and why. Its details may quote what was sent, and never get into a message.
 *
 * @param doing - such as "write records"
 * @param reason - @default code and message of the error
 */
export function storeError(doing: string, error: unknown, reason = saidOf(error)): Error {
  return new Error(`PostgreSQL could not ${doing}: ${reason}`);
}

/** The SQLSTATE and message of an error. */
export function saidOf(error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error && error.message !== "" ? error.message : "unknown error";
  return `${code === undefined ? "" : `${code}: `}${message}`;
}

/** The SQLSTATE of an error, or what Node calls it; `undefined` where there is none. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}
