import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A NATS server of a test with JetStream, in a folder of its own. */
export interface NatsServer {
  /** Such as `127.0.0.1:4222`. It stays the same when the server starts again. */
  readonly address: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /** Stops it and deletes its folder. */
  remove(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

const program = process.env["NATS_SERVER"] ?? "nats-server";

/** Starts a server. Fails if the program is missing, so that a test never passes unchecked. */
export async function startNats(): Promise<NatsServer> {
  const { stdout, error } = spawnSync(program, ["--version"], { encoding: "utf8" });
  if (error !== undefined)
    throw new Error("these tests need nats-server; install it: apt-get install nats-server");
  const folder = mkdtempSync(join(tmpdir(), "decern-nats-"));
  const config = join(folder, "nats.conf");
  let port = -1;
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, "exit");
    ending.kill("SIGKILL");
    await ended;
  };
  const start = async (): Promise<void> => {
    writeFileSync(config, configOf(port, folder, stdout));
    const started = await startServer(config);
    ({ child, port } = started);
  };
  await start();
  return {
    address: `127.0.0.1:${port}`,
    start,
    kill: stop,
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

function configOf(port: number, folder: string, version: string): string {
  // Debian's 2.9 does not know the setting. It writes each message to the file before it answers, which outlives a killed
  // process, though not a machine without power.
  const [, minor = "0"] = /v2\.(\d+)/.exec(version) ?? [];
  const syncs = Number(minor) >= 10 ? "sync_interval: always" : "";
  return `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(folder)}\n${syncs} }\n`;
}

async function startServer(config: string): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(program, ["--config", config], { stdio: ["ignore", "ignore", "pipe"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const port = await new Promise<number>((resolve, reject) => {
    let output = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      // What it says later is of no interest, but it must be read.
      if (output.length < 100_000) output += text;
      const [, listens] = /Listening for client connections on \S+:(\d+)/.exec(output) ?? [];
      if (listens !== undefined && output.includes("Server is ready")) resolve(Number(listens));
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`nats-server did not start:\n${output}`)));
  });
  return { child, port };
}
