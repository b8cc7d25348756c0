import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./postgres-worker.mjs", import.meta.url));

/** Keeps workers of one kind running, each in a process of its own: one that was killed is replaced. */
export class PostgresWorkers {
  /** How many were killed, by the test or by themselves. */
  killed = 0;
  committed = 0;
  /** From the first evaluation to the last commit of each worker that ended by itself, in seconds. */
  readonly seconds: number[] = [];
  readonly #options: object;
  readonly #children = new Set<ChildProcess>();
  readonly #running: Promise<void>[] = [];
  #waiting: (() => void)[] = [];
  #isAbandoned = false;

  constructor(count: number, options: object) {
    this.#options = options;
    for (let index = 0; index < count; index++) {
      const running = this.#keep();
      // `ended` tells of it.
      running.catch(() => this.#wake());
      this.#running.push(running);
    }
  }

  /** Resolves when so many more batches were committed. */
  async batches(count: number): Promise<void> {
    const least = this.committed + count;
    while (this.committed < least && this.#children.size > 0)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Kills the worker that runs longest, and resolves once it is dead. */
  async killOne(): Promise<void> {
    const [child] = this.#children;
    if (child === undefined) return;
    const dead = once(child, "exit");
    child.kill("SIGKILL");
    await dead;
  }

  /** Kills them all, and replaces none. */
  abandon(): void {
    this.#isAbandoned = true;
    for (const child of this.#children) child.kill("SIGKILL");
  }

  /** Resolves once all have ended by themselves. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #keep(): Promise<void> {
    for (;;) {
      const child = fork(script, [JSON.stringify(this.#options)], { silent: true, execArgv: [] });
      this.#children.add(child);
      let output = "";
      child.stderr?.on("data", (text: Buffer) => {
        output += text;
      });
      child.on("message", (message: { readonly seconds?: number }) => {
        if (message.seconds === undefined) this.committed += 1;
        else this.seconds.push(message.seconds);
        this.#wake();
      });
      const [code, signal] = await once(child, "exit");
      this.#children.delete(child);
      this.#wake();
      if (code === 0 || this.#isAbandoned) return;
      if (signal !== "SIGKILL") throw new Error(`the worker ended with ${code ?? signal}:\n${output}`);
      this.killed += 1;
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
