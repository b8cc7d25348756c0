import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Service } from "./services.js";

const serveScript = fileURLToPath(new URL("./serve.js", import.meta.url));
const listening = z.object({ ports: z.array(z.number()) });
const cpu = z.object({ cpuMicroseconds: z.number() });
const memory = z.object({ rss: z.number(), heapUsed: z.number() });

/** Whether a process can be held to one core here. */
export const canPin = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;

/** Prefixes a command so that it runs on one core only, where that can be done. */
export function onCore(
  core: number,
  command: string,
  ...rest: readonly string[]
): readonly [string, string[]] {
  return canPin ? ["taskset", ["-c", String(core), command, ...rest]] : [command, [...rest]];
}

/** A service that listens. */
export interface RunningService {
  readonly service: Service;
  readonly url: string;
}

/** A process on the first core that serves one service, or several. */
export class ServiceProcess {
  readonly services: readonly RunningService[];
  readonly #process: ChildProcess;

  /** Where the services write, until they stop. */
  readonly #folder: string;

  private constructor(services: readonly RunningService[], process: ChildProcess, folder: string) {
    this.services = services;
    this.#process = process;
    this.#folder = folder;
  }

  static async start(...services: readonly Service[]): Promise<ServiceProcess> {
    const keys = services.map(({ key }) => key);
    const [command, parameters] = onCore(0, process.execPath, "--expose-gc", serveScript, ...keys);
    const folder = mkdtempSync(join(tmpdir(), "decern-bench-"));
    const child = spawn(command, parameters, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, NODE_ENV: "production", BENCH_FOLDER: folder },
    });
    const { ports } = listening.parse(await answerOf(child));
    const running = services.map((service, index) => {
      return { service, url: `http://127.0.0.1:${ports[index]}/decisions/loan-approval` };
    });
    return new ServiceProcess(running, child, folder);
  }

  /** Memory after a collection, in bytes. */
  async memory(): Promise<{ readonly rss: number; readonly heapUsed: number }> {
    return memory.parse(await this.#ask("memory"));
  }

  /** Processor time so far, in microseconds, system calls included. */
  async cpuMicroseconds(): Promise<number> {
    return cpu.parse(await this.#ask("cpu")).cpuMicroseconds;
  }

  #ask(question: "cpu" | "memory"): Promise<unknown> {
    const answer = answerOf(this.#process);
    this.#process.send(question);
    return answer;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error("the service ended before it answered"));
    child.once("exit", gone);
    child.once("message", (message) => {
      child.off("exit", gone);
      resolve(message);
    });
  });
}
