import cluster, { type Worker } from "node:cluster";
import { EventEmitter, once } from "node:events";
import { type Stats, unwatchFile, watchFile } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type CommandIo, exitCodes } from "../command-line/command.js";
import { say } from "../command-line/output.js";
import type { DecisionModule } from "./load-module.js";
import { moduleFiles } from "./load-module.js";
import type { ServeSettings } from "./serve-module.js";

/** How often the files are looked at, in milliseconds. Unlike events, this also works across mounts and renames. */
const everyMs = 200;

/** How long files stay unchanged before they are read, in milliseconds: editors write several, and not in one go. */
const quietMs = 100;

/**
 * Serves a module in a process of its own, and replaces that process when a file of the module changes: ES modules can't be
 * unloaded, so a process that imported each version would keep them all. Both listen on one port, which is never closed. The new
 * process takes over once it listens; one that fails leaves the earlier one serving.
 *
 * @returns the exit code
 */
export async function serveWatched(path: string, io: CommandIo): Promise<number> {
  const { signal } = io;
  const stopped = aborted(signal);
  const changes = new Changes();
  let serving: Worker | undefined;
  try {
    while (!signal.aborted) {
      changes.begin();
      changes.follow(await filesOf(resolve(io.cwd, path)));
      const next = cluster.fork();
      // Whatever was sent before this reply has arrived when it does.
      next.on("message", (text) => text === "closed" && tell(next, "end"));
      const outcome = await Promise.race([startOf(next), changes.next(), stopped]);
      if (outcome === "stopped") break;
      if (outcome === "changed") {
        // It may never end: the change could be the end of an endless loop.
        next.process.kill("SIGKILL");
        continue;
      }
      if (outcome === "listens") {
        stop(serving);
        serving = next;
      } else if (serving === undefined) {
        return exitCodes.broken;
      } else {
        await say(io, "still serving the module as it was before the change");
      }
      const ended = endOf(serving);
      if ((await Promise.race([changes.next(), ended, stopped])) !== "ended") continue;
      await say(io, "the module ended the process that served it; a change of a file starts it again");
      await Promise.race([changes.next(), stopped]);
    }
    return exitCodes.ok;
  } finally {
    changes.follow(new Set());
    await Promise.all(workers().map(async (worker) => await stop(worker)));
  }
}

/** Whether a process that watches has started this one. It starts the same command again, with the same arguments. */
export function isWatched(): boolean {
  return cluster.isWorker;
}

/** Serves a module in the process that {@link serveWatched} has started: says that it listens, and stops when it is asked to. */
export async function serveAsWatched(module: DecisionModule, settings: ServeSettings): Promise<void> {
  const { serveModule } = await import("./serve-module.js");
  const asked = new AbortController();
  process.once("message", () => asked.abort());
  await serveModule(module, {
    ...settings,
    signal: AbortSignal.any([settings.signal, asked.signal]),
    onListening: () => process.send?.("listens"),
  });
  if (!process.connected) return;
  // A connection that was on its way here when the port was closed goes to the other process, but only if this one can refuse it.
  const ended = new Promise<void>((resolve) => {
    process.on("message", (text) => text === "end" && resolve());
    process.once("disconnect", resolve);
  });
  process.send?.("closed");
  await ended;
}

function workers(): readonly Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

async function startOf(worker: Worker): Promise<"listens" | "ended"> {
  return await Promise.race([once(worker, "message").then(() => "listens" as const), endOf(worker)]);
}

async function endOf(worker: Worker): Promise<"ended"> {
  if (!worker.isDead()) await once(worker, "exit");
  return "ended";
}

/** A message, and not a signal: at Ctrl-C the process has one already, and a second would have it exit without its replies. */
async function stop(worker: Worker | undefined): Promise<void> {
  if (worker === undefined) return;
  tell(worker, "stop");
  await endOf(worker);
}

function tell(worker: Worker, text: "stop" | "end"): void {
  // A process that ends just now needs no message.
  if (worker.isConnected()) worker.send(text, () => {});
}

async function aborted(signal: AbortSignal): Promise<"stopped"> {
  if (!signal.aborted) await once(signal, "abort");
  return "stopped";
}

const dataFile = /new URL\(\s*["'](\.{1,2}\/[^"'\n]+)["']\s*,\s*import\.meta\.url\s*\)/g;

/** The files that a module consists of: sources, and data that they name relative to themselves, such as tables. */
async function filesOf(path: string): Promise<ReadonlySet<string>> {
  const sources = await moduleFiles(path);
  const data = [...sources].flatMap(([file, text]) =>
    [...text.matchAll(dataFile)].map(([, name = ""]) => resolve(dirname(file), name)),
  );
  return new Set([path, ...sources.keys(), ...data]);
}

/** Changes of files. */
class Changes {
  #files: ReadonlySet<string> = new Set();
  #count = 0;
  #handled = 0;
  readonly #events = new EventEmitter();

  /** From here on, only later changes count. */
  begin(): void {
    this.#handled = this.#count;
  }

  follow(files: ReadonlySet<string>): void {
    for (const file of this.#files) if (!files.has(file)) unwatchFile(file, this.#see);
    for (const file of files) {
      if (!this.#files.has(file)) watchFile(file, { interval: everyMs }, this.#see);
    }
    this.#files = files;
  }

  /** Waits until files have changed, and then stayed as they are for a moment. */
  async next(): Promise<"changed"> {
    if (this.#count === this.#handled) await once(this.#events, "change");
    let seen: number;
    do {
      seen = this.#count;
      await sleep(quietMs);
    } while (seen !== this.#count);
    return "changed";
  }

  readonly #see = (now: Stats, before: Stats): void => {
    // Reading a file counts for `watchFile`.
    if (now.mtimeMs === before.mtimeMs && now.size === before.size && now.ino === before.ino) return;
    this.#count += 1;
    this.#events.emit("change");
  };
}
