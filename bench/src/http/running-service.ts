import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Service } from "./services.js";

const serveScript = fileURLToPath(new URL("./serve.js", import.meta.url));
const listening = z.object({ port: z.number() });
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

/** A service in a process of its own, on the first core. */
export class RunningService {
  readonly service: Service;
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(service: Service, port: number, process: ChildProcess) {
    this.service = service;
    this.url = `http://127.0.0.1:${port}/decisions/loan-approval`;
    this.#process = process;
  }

  static async start(service: Service): Promise<RunningService> {
    const [command, parameters] = onCore(0, process.execPath, "--expose-gc", serveScript, service.key);
    const child = spawn(command, parameters, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, NODE_ENV: "production" },
    });
    const { port } = listening.parse(await answerOf(child));
    return new RunningService(service, port, child);
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

  stop(): void {
    this.#process.kill("SIGKILL");
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
