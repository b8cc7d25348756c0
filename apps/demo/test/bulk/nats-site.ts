import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { DecernError, evaluateMany } from "@decern/core";
import { natsSource, setUpNats } from "@decern/nats";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { type NatsServer, startNats } from "../../../../test/support/nats-server.js";
import { loanApproval } from "../../src/decisions/loan-approval.js";

const script = fileURLToPath(new URL("./nats-worker.mjs", import.meta.url));
const names = { stream: "LOANS", consumer: "approval", results: "loans.answers" };
const inputsEach = 5;
/** How long one request may take before it is made again: a server that was killed answers none. */
const requestMs = 1000;

/** What a worker process of the test does wrong. */
export interface Mishaps {
  readonly hasIds?: boolean;
  /** How many results are stored when it dies, before anything of the last is acknowledged. */
  readonly diesAfter?: number;
  /** Whether its connection is closed for good before it takes anything. */
  readonly closes?: boolean;
  /** Number of a message that it dies of, from 1. */
  readonly poison?: number;
  /** How often a message is tried. Workers are killed so often in most tests that this must be no matter there. */
  readonly maxTries?: number;
}

/** A server, streams for loans, and worker processes. */
export class NatsSite {
  readonly server: NatsServer;
  readonly #connection: NatsConnection;
  /** With what resolves once the worker can be told to stop. */
  readonly #workers = new Map<ChildProcess, Promise<unknown>>();
  readonly #failures = new Map<ChildProcess, number>();
  #published = 0;

  private constructor(server: NatsServer, connection: NatsConnection) {
    this.server = server;
    this.#connection = connection;
  }

  static async start(): Promise<NatsSite> {
    const server = await startNats();
    const connection = await connect({
      servers: server.address,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 50,
    });
    const site = new NatsSite(server, connection);
    await setUpNats({ ...names, connection, subjects: ["loans.requests"], ackWaitMs: 1500 });
    return site;
  }

  async end(): Promise<void> {
    await Promise.all([...this.#workers.keys()].map((worker) => this.kill(worker)));
    await this.#connection.close();
    await this.server.remove();
  }

  /** Publishes messages of several inputs each, whatever happens to the server meanwhile. */
  async publish(count: number): Promise<void> {
    const client = jetstream(this.#connection);
    for (const end = this.#published + count; this.#published < end; this.#published += 1) {
      const text = inputsOf(this.#published)
        .map((input) => JSON.stringify(input))
        .join("\n");
      for (;;) {
        const msgID = `loan-${this.#published}`;
        const isStored = await client.publish("loans.requests", text, { msgID, timeout: requestMs }).then(
          () => true,
          () => false,
        );
        if (isStored) break;
      }
    }
  }

  startWorker(mishaps: Mishaps = {}): ChildProcess {
    const options = { ...names, maxTries: 1000, ...mishaps, address: this.server.address, maxItems: 50 };
    const worker = spawn(process.execPath, [script, JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#workers.set(worker, once(worker.stdout, "data"));
    worker.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#failures.set(worker, this.failuresOf(worker) + text.split("failed\n").length - 1);
    });
    return worker;
  }

  /** Resolves once a worker has found its streams. Before that, it ends where there is no server. */
  async started(worker: ChildProcess): Promise<void> {
    await this.#workers.get(worker);
  }

  /** How many takes and commits of a worker have failed. */
  failuresOf(worker: ChildProcess): number {
    return this.#failures.get(worker) ?? 0;
  }

  /** Leaves no room for results, or makes room again. */
  async limitResults(hasRoom: boolean): Promise<void> {
    const manager = await jetstreamManager(this.#connection);
    await manager.streams.update("LOANS-RESULTS", { max_bytes: hasRoom ? -1 : 1 });
  }

  /** Sequences of the inputs that were given up. */
  async deadLetters(): Promise<readonly number[]> {
    return (await this.#storedAs("loans.answers.dead")).map(({ input }) => input);
  }

  async kill(worker: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (worker.exitCode === null && worker.signalCode === null) {
      const ended = once(worker, "exit");
      if (signal === "SIGTERM") await this.#workers.get(worker);
      worker.kill(signal);
      await ended;
    }
    this.#workers.delete(worker);
  }

  /** How many results there are; `undefined` while the server does not answer. */
  async countResults(): Promise<number | undefined> {
    const manager = await jetstreamManager(this.#connection, { checkAPI: false, timeout: requestMs });
    const info = await manager.streams.info("LOANS-RESULTS").catch(() => undefined);
    return info?.state.messages;
  }

  /** How many messages are without an acknowledged answer; `undefined` while the server does not answer. */
  async waiting(): Promise<number | undefined> {
    const source = natsSource({ ...names, connection: this.#connection, jetstream: { timeout: requestMs } });
    return (await source.backlog().catch(() => undefined))?.items;
  }

  /** The results that are stored, by the sequence of their input, in their order. */
  async results(): Promise<ReadonlyMap<number, readonly string[]>> {
    const results = new Map<number, string[]>();
    for (const { input, text } of await this.#storedAs(names.results)) {
      results.set(input, [...(results.get(input) ?? []), text]);
    }
    return results;
  }

  async #storedAs(subject: string): Promise<readonly { readonly input: number; readonly text: string }[]> {
    const manager = await jetstreamManager(this.#connection);
    const { state } = await manager.streams.info("LOANS-RESULTS");
    const stored = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage("LOANS-RESULTS", { seq });
      if (message?.subject !== subject) continue;
      stored.push({ input: Number(message.header.get("Decern-Sequence")), text: message.string() });
    }
    return stored;
  }

  /** What the results must be: one for each message, as this process evaluates it. */
  expected(): ReadonlyMap<number, readonly string[]> {
    return new Map(Array.from({ length: this.#published }, (_, index) => [index + 1, [answerOf(index)]]));
  }
}

function inputsOf(message: number): readonly object[] {
  return Array.from({ length: inputsEach }, (_, index) => {
    const number = message * inputsEach + index;
    const creditScore = number % 17 === 0 ? "unknown" : 500 + (number % 350);
    const applicant = {
      age: 18 + (number % 60),
      income: 20_000 + number,
      creditScore,
      employment: "employed",
    };
    return { applicant, amount: 5000 + (number % 40_000), termMonths: 60, country: "GB" };
  });
}

function answerOf(message: number): string {
  const inputs: readonly unknown[] = inputsOf(message);
  const lines = [...evaluateMany(loanApproval, inputs)].map((item, index) => {
    if (item instanceof DecernError) throw item;
    if (item.status === "OK") return { status: "OK", data: item.data, matchedRule: item.meta.matchedRule };
    if (item.status === "NO_MATCH") return { status: "NO_MATCH" };
    return { position: `${message + 1}:${index + 1}`, status: item.status, errors: item.errors };
  });
  return lines.map((line) => JSON.stringify(line)).join("\n");
}
