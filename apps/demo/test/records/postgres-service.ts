import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./postgres-service.mjs", import.meta.url));

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export interface ServiceState {
  readonly counts: { readonly written: number; readonly lost: number; readonly refused: number };
  readonly logged: readonly string[];
  readonly bytesInUse: number;
}

/** What clients of a service saw. */
export interface Seen {
  /** Ids of the records of calls that were answered with 200; empty where there was none. */
  readonly answered: string[];
  /** How many were answered with 503. */
  refused: number;
}

/** A server with its records in PostgreSQL, in a process of its own, with clients that call it without a pause. */
export class PostgresService {
  readonly seen: Seen = { answered: [], refused: 0 };
  readonly #child: ChildProcess;
  readonly #mayDrop: boolean;
  readonly #agent = new Agent({ keepAlive: true });
  #port = 0;
  #isLoaded = false;
  #clients: readonly Promise<void>[] = [];

  private constructor(options: object) {
    this.#mayDrop = "onFull" in options && options.onFull === "drop";
    this.#child = fork(script, [JSON.stringify(options)], { execArgv: ["--expose-gc"], silent: true });
    running.add(this.#child);
    this.#child.once("exit", () => running.delete(this.#child));
  }

  static async start(options: object): Promise<PostgresService> {
    const service = new PostgresService(options);
    const [{ port }] = await once(service.#child, "message");
    service.#port = port;
    return service;
  }

  /** Begins to call. Each client sends its next call when it has the answer to the one before. */
  load(clients = 16): void {
    this.#isLoaded = true;
    this.#clients = Array.from({ length: clients }, async () => {
      while (this.#isLoaded) await this.#call();
    });
  }

  async unload(): Promise<void> {
    this.#isLoaded = false;
    await Promise.all(this.#clients);
  }

  /** @param what - `flush` waits until nothing is pending */
  async state(what: "state" | "flush" = "state"): Promise<ServiceState> {
    const told = once(this.#child, "message");
    this.#child.send(what);
    const [state] = await told;
    return state;
  }

  async end(): Promise<void> {
    await this.unload();
    this.#agent.destroy();
    const ended = once(this.#child, "exit");
    this.#child.send("end");
    await ended;
  }

  async #call(): Promise<void> {
    const sent = request({
      port: this.#port,
      host: "127.0.0.1",
      path: "/decisions/double",
      method: "POST",
      agent: this.#agent,
      headers: { "content-type": "application/json" },
    });
    sent.end(JSON.stringify({ input: { amount: this.seen.answered.length } }));
    const [reply] = await once(sent, "response");
    reply.resume();
    await once(reply, "end");
    const id = reply.headers["decern-record-id"] ?? (this.#mayDrop ? "" : undefined);
    if (reply.statusCode === 200 && typeof id === "string") this.seen.answered.push(id);
    else if (reply.statusCode === 503) this.seen.refused++;
    else {
      this.#isLoaded = false;
      throw new Error(`answered ${reply.statusCode}, record ${id}`);
    }
  }
}
