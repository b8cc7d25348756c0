import { DuckDBInstance } from "@duckdb/node-api";

/** Runs statements in a DuckDB of its own. @returns the rows of the last one */
export async function duckdb(...statements: readonly string[]): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  let rows: readonly (readonly unknown[])[] = [];
  for (const statement of statements) rows = (await connection.runAndReadAll(statement)).getRowsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

/** A text as SQL writes it. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
