import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { postgresInbox } from "@decern/postgres/bulk";
import pg from "pg";
import { inTemporaryFolder } from "../log/temporary-folder.js";
import type { Sizes } from "../sizes.js";
import type { PostgresWork } from "./postgres-work.js";
import { secondsOfProcesses } from "./seconds-of-processes.js";
import { startProgram } from "./started-process.js";
import type { WorkerRun } from "./worker-runs.js";

/** Inputs that are added in one statement. */
const perStatement = 1000;

/** Whom the server runs as: it refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Runs workers on PostgreSQL, and `COPY` of as many results. Absent without PostgreSQL. */
export async function postgresRuns(
  lines: readonly string[],
  results: readonly string[],
  { rounds, warmUp }: Sizes["worker"],
): Promise<readonly WorkerRun[] | undefined> {
  const programs = findPrograms();
  if (programs === undefined) return undefined;
  return await inTemporaryFolder(async (folder) => {
    if (nobody !== undefined) chownSync(folder, nobody.uid, nobody.gid);
    const data = join(folder, "data");
    const initdb = ["-D", data, "-U", "decern", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    execFileSync(join(programs, "initdb"), initdb, { ...nobody, cwd: folder, stdio: "ignore" });
    const flags = ["-D", data, "-c", "listen_addresses=", "-c", `unix_socket_directories=${folder}`];
    const isReady = (output: string) => output.includes("ready to accept connections");
    const server = await startProgram(join(programs, "postgres"), flags, isReady, {
      ...nobody,
      cwd: folder,
    });
    const connection = { host: folder, user: "decern", database: "postgres" };
    const pool = new pg.Pool(connection);
    try {
      const file = join(folder, "results.txt");
      writeFileSync(file, results.map((text, index) => `${index}\t${forCopy(text)}\n`).join(""));
      chmodSync(file, 0o644);
      const secondsOf = (workers: number, kind: PostgresWork["kind"], name: string) =>
        secondsOfProcesses(workers, { connection, kind, name, warmUp }, lines.length);
      const copy: number[] = [];
      const inbox: number[] = [];
      const two: number[] = [];
      const chunks: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        copy.push(await secondsOfCopy(pool, file));
        for (const [workers, seconds] of [[1, inbox] as const, [2, two] as const]) {
          const name = `${workers}-${round}`;
          await fillInbox(pool, name, lines);
          seconds.push(await secondsOf(workers, "inbox", name));
        }
        await fillTable(pool, `table_${round}`, lines);
        chunks.push(await secondsOf(1, "chunks", `table_${round}`));
      }
      return [
        { name: "limit: COPY of the results into a table", seconds: copy },
        { name: "worker on a PostgreSQL inbox", seconds: inbox },
        { name: "two workers on a PostgreSQL inbox", seconds: two },
        { name: "worker on the rows of a PostgreSQL table", seconds: chunks },
      ];
    } finally {
      await pool.end();
      await server.stop("SIGQUIT");
    }
  });
}

async function secondsOfCopy(pool: pg.Pool, file: string): Promise<number> {
  await pool.query("drop table if exists copied");
  await pool.query("create table copied (position bigint primary key, result text not null)");
  const began = performance.now();
  await pool.query(`copy copied from ${pg.escapeLiteral(file)}`);
  return (performance.now() - began) / 1000;
}

async function fillInbox(pool: pg.Pool, name: string, lines: readonly string[]): Promise<void> {
  const source = postgresInbox({ pool, name });
  for (let start = 0; start < lines.length; start += perStatement) {
    await source.add(lines.slice(start, start + perStatement).map((line): unknown => JSON.parse(line)));
  }
}

async function fillTable(pool: pg.Pool, name: string, lines: readonly string[]): Promise<void> {
  await pool.query(`create table ${name} (id bigint generated always as identity primary key, input json)`);
  for (let start = 0; start < lines.length; start += perStatement) {
    await pool.query(`insert into ${name} (input) select unnest($1::text[])::json`, [
      lines.slice(start, start + perStatement),
    ]);
  }
}

function forCopy(text: string): string {
  return text.replaceAll("\\", "\\\\");
}

/** Debian keeps them out of the path. */
function findPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(":"),
  ];
  return folders.find((path) => existsSync(join(path, "initdb")) && existsSync(join(path, "postgres")));
}
