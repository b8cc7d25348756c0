import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { postgresInbox } from "@decern/bulk-postgres";
import pg from "pg";
import { inTemporaryFolder } from "../log/temporary-folder.js";
import { startProgram } from "./started-process.js";
import { secondsOfWorker } from "./worker-run.js";
import type { WorkerRun } from "./worker-runs.js";

/** Inputs that are added in one statement. */
const perStatement = 1000;

/** Whom the server runs as: it refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Runs a worker on an inbox in PostgreSQL, and `COPY` of as many results. Absent without PostgreSQL. */
export async function postgresRuns(
  lines: readonly string[],
  results: readonly string[],
  rounds: number,
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
    const pool = new pg.Pool({ host: folder, user: "decern", database: "postgres" });
    try {
      const file = join(folder, "results.txt");
      writeFileSync(file, results.map((text, index) => `${index}\t${forCopy(text)}\n`).join(""));
      chmodSync(file, 0o644);
      const worker: number[] = [];
      const copy: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        copy.push(await secondsOfCopy(pool, file));
        worker.push(await secondsOnInbox(pool, `round-${round}`, lines));
      }
      return [
        { name: "limit: COPY of the results into a table", seconds: copy },
        { name: "worker on a PostgreSQL inbox", seconds: worker },
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

async function secondsOnInbox(pool: pg.Pool, name: string, lines: readonly string[]): Promise<number> {
  const source = postgresInbox({ pool, name });
  for (let start = 0; start < lines.length; start += perStatement) {
    await source.add(lines.slice(start, start + perStatement).map((line): unknown => JSON.parse(line)));
  }
  return await secondsOfWorker(source, lines.length);
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
