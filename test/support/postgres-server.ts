import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PostgreSQL server of a test, in a folder of its own. */
export interface PostgresServer {
  /** For `new pg.Pool(…)`. It listens on a Unix socket only. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  readonly folder: string;
  /** Stops it as a crash would: every connection breaks, and it recovers at the next start. */
  crash(): Promise<void>;
  /** Stops it as an administrator does: every connection ends, and nothing needs recovery. */
  stop(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /** Stops it and deletes its folder. */
  remove(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGQUIT");
});

/** Whom the server runs as: it refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Creates a database and starts it. Fails if PostgreSQL is missing, so that a test never passes unchecked. */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), "decern-postgres-"));
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid);
  const data = join(folder, "data");
  execFileSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "decern", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...nobody, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  const options = { listen_addresses: "", unix_socket_directories: folder, ...settings };
  const flags = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let child: ChildProcess | undefined;
  const server: PostgresServer = {
    connection: { host: folder, port: 5432, user: "decern", database: "postgres" },
    folder,
    start: async () => {
      child = await startServer(join(programs, "postgres"), ["-D", data, ...flags], folder);
    },
    crash: async () => {
      if (child !== undefined) await stop(child, "SIGQUIT");
      child = undefined;
    },
    stop: async () => {
      if (child !== undefined) await stop(child, "SIGINT");
      child = undefined;
    },
    remove: async () => {
      if (child !== undefined) await stop(child, "SIGQUIT");
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
  await server.start();
  return server;
}

/** The folder of `initdb` and `postgres`. Debian keeps them out of the path. */
function findPrograms(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(":"),
  ];
  const folder = folders.find(
    (path) => existsSync(join(path, "initdb")) && existsSync(join(path, "postgres")),
  );
  if (folder === undefined)
    throw new Error("these tests need PostgreSQL; install it: apt-get install postgresql");
  return folder;
}

async function startServer(program: string, args: readonly string[], cwd: string): Promise<ChildProcess> {
  const child = spawn(program, args, { ...nobody, cwd, stdio: ["ignore", "ignore", "pipe"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      // What it says later is of no interest, but somebody must read it.
      if (output.length < 100_000) output += text;
      if (output.includes("database system is ready to accept connections")) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${output}`)));
  });
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
