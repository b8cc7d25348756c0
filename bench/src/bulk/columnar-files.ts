import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

/** Inputs of W1 as columns. */
const columns = `
  applicant.age AS "applicant.age", applicant.income AS "applicant.income",
  applicant."creditScore" AS "applicant.creditScore", applicant.employment AS "applicant.employment",
  amount, "termMonths", country, note`;
const types = `{
  applicant: 'STRUCT(age INTEGER, income DOUBLE, "creditScore" INTEGER, employment VARCHAR)',
  amount: 'DOUBLE', "termMonths": 'INTEGER', country: 'VARCHAR', note: 'VARCHAR' }`;

/** The same records as CSV and as Parquet, and DuckDB's own way to read and write them. */
export class ColumnarFiles {
  readonly csv: string;
  readonly parquet: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.csv = join(folder, "in.csv");
    this.parquet = join(folder, "in.parquet");
  }

  /** @param ndjson - path of a file of valid inputs */
  static async from(ndjson: string, folder: string): Promise<ColumnarFiles> {
    const files = new ColumnarFiles(folder);
    const records = `SELECT ${columns} FROM read_json('${ndjson}', format = 'newline_delimited', columns = ${types})`;
    await run(`COPY (${records}) TO '${files.csv}' (HEADER)`);
    await run(`COPY (${records}) TO '${files.parquet}' (FORMAT parquet)`);
    return files;
  }

  async copyCsv(): Promise<void> {
    await run(`COPY (FROM read_csv('${this.csv}')) TO '${join(this.#folder, "copy.csv")}' (HEADER)`);
  }

  async copyParquet(): Promise<void> {
    const copy = join(this.#folder, "copy.parquet");
    await run(`COPY (FROM read_parquet('${this.parquet}')) TO '${copy}' (FORMAT parquet)`);
  }
}

async function run(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}
