import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./recorded-service.mjs", import.meta.url));

const unshare = ["--pid", "--fork", "--kill-child", "--mount-proc"];

/** What a client saw of one call. */
export interface Answer {
  readonly status: number;
  readonly recordId: string | undefined;
  readonly retryAfter: string | undefined;
}

export interface ServiceState {
  readonly counts: { readonly written: number; readonly lost: number; readonly refused: number };
  readonly bytesInUse: number;
}

/** A server in a process of its own, which keeps records. */
export class RecordedService {
  readonly process: ChildProcess;
  /** What it has logged. */
  readonly logged: {
    readonly level: string;
    readonly message: string;
    readonly details: Record<string, unknown>;
  }[] = [];
  /** How many records it has reported as written. All it has said is known after {@link end}. */
  written = 0;
  #port = 0;
  readonly #closed: Promise<unknown>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  private constructor(options: Readonly<Record<string, unknown>>, inContainer: boolean) {
    const node = ["--expose-gc"];
    this.process = fork(script, [JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      ...(inContainer
        ? { execPath: "unshare", execArgv: [...unshare, process.execPath, ...node] }
        : { execArgv: node }),
    });
    this.#closed = new Promise((resolve) => this.process.once("close", resolve));
  }

  /** @param inContainer - whether it has process ids of its own, as in a container, and this machine's host name */
  static async start(
    options: Readonly<Record<string, unknown>>,
    inContainer = false,
  ): Promise<RecordedService> {
    const service = new RecordedService(options, inContainer);
    let rest = "";
    await new Promise<void>((resolve, reject) => {
      service.process.on("exit", () => reject(new Error("the service ended")));
      service.process.stdout?.setEncoding("utf8").on("data", (text: string) => {
        const lines = `${rest}${text}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines.filter((text) => text.startsWith("{"))) {
          const said = JSON.parse(line);
          if (said.written !== undefined) service.written = said.written;
          else if (said.port === undefined) service.logged.push(said);
          else {
            service.#port = said.port;
            resolve();
          }
        }
      });
    });
    return service;
  }

  /** Calls the decision. It rejects when no complete reply arrives. */
  call(size = 100): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const path = "/decisions/sized";
      const headers = { "content-type": "application/json" };
      const options = {
        port: this.#port,
        host: "127.0.0.1",
        path,
        method: "POST",
        agent: this.#agent,
        headers,
      };
      const sent = request(options, (reply) => {
        const recordId = reply.headers["decern-record-id"];
        const answer: Answer = {
          status: reply.statusCode ?? 0,
          recordId: typeof recordId === "string" ? recordId : undefined,
          retryAfter: reply.headers["retry-after"],
        };
        reply
          .on("error", reject)
          .on("end", () => resolve(answer))
          .resume();
      });
      sent.on("error", reject);
      sent.end(JSON.stringify({ input: { size } }));
    });
  }

  /** @param what - `flush` waits until nothing is pending */
  async state(what: "state" | "flush" = "state"): Promise<ServiceState> {
    const answered = once(this.process, "message");
    this.process.send(what);
    const [state]: ServiceState[] = await answered;
    if (state === undefined) throw new Error("the service said nothing");
    return state;
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.#agent.destroy();
    this.process.kill(signal);
    await this.#closed;
  }
}
