import type { AddressInfo } from "node:net";
import { DecernError, type DecisionLog, type Logger } from "@decern/core";
import type { Service } from "@decern/core/host";
import { checkedOptions, kinds, option, type RowsOf } from "@decern/core/options";
import type { FastifyInstance } from "fastify";
import { errorCode } from "../base/values.js";
import { type HttpServers, sweepMs } from "../connections/http-servers.js";
import type { ListenOptions } from "../options/options.js";
import { listenError, startupNotice } from "./decision-server.js";

/** How long hooks may take after the last connection has ended, in milliseconds. */
const hooksMs = 1000;

/** How many ports `listen(0)` tries: one that is free on one address of localhost may be in use on the other. */
const maxTries = 5;

const portKind = kinds.that<number>(
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  "must be a whole number from 0 to 65535",
);

const signalMethods = kinds.withMethods<AbortSignal>("addEventListener", "removeEventListener");

const listenRows = {
  // Node would bind every interface for an empty name.
  host: option(kinds.nonEmptyText, "localhost"),
  // Not `instanceof`: a signal may come from another realm.
  signal: option(
    kinds.that<AbortSignal>((value) => signalMethods(value, "").length === 0, "must be an AbortSignal"),
  ),
} satisfies RowsOf<ListenOptions>;

/** What a server consists of, as far as its start and its end are concerned. */
interface LifecycleParts {
  readonly app: FastifyInstance;
  readonly servers: HttpServers;
  /** Aborted when the server starts to close. */
  readonly closing: AbortController;
  readonly service: Service;
  readonly settings: {
    readonly docs: boolean;
    readonly closeTimeoutMs: number;
    readonly logger: Logger;
    readonly log: DecisionLog | undefined;
  };
}

/** Starts and stops a service. */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  /** What has taken too long if the time for closing runs out now. */
  #late = "a preClose or onClose hook did not settle";
  #closing: Promise<void> | undefined;
  #starting: Promise<string> | undefined;
  #forgetSignal: () => void = () => {};

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  async listen(port = 3000, options: ListenOptions = {}): Promise<string> {
    const { host, signal } = checkedOptions("listen", options, listenRows);
    const problems = portKind(port, "/port");
    if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "listen", problems });
    if (signal?.aborted === true) await this.close();
    this.#refuseWhenClosing();
    // A second attempt would end the connections of the first, and leave an address bound.
    if (this.#starting !== undefined || this.#parts.app.server.listening)
      throw new DecernError("INVALID_OPTIONS", { detail: "listen was called before: a server has one port" });
    const starting = this.#bind(port, host).catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    this.#starting = starting;
    const address = await starting;
    this.#refuseWhenClosing();
    if (signal !== undefined) this.#closeOn(signal);
    const bound = boundPort(this.#parts.app.server.address()) ?? port;
    const origin = host === "localhost" ? `http://localhost:${bound}` : address;
    const { service, settings } = this.#parts;
    console.log(startupNotice(origin, bound, service.catalogue.current.ids.length, settings.docs));
    return address;
  }

  async #bind(port: number, host: string): Promise<string> {
    await this.#parts.app.ready();
    try {
      if (host === "localhost") return await this.#bindLocalhost(port);
      return await this.#parts.app.listen({ port, host });
    } catch (error) {
      throw listenError(error, port, host);
    }
  }

  /** Fastify ignores it if the other address of localhost is taken: clients that use that would find another service. */
  async #bindLocalhost(port: number, tries = maxTries): Promise<string> {
    const { app, servers } = this.#parts;
    const second = await servers.listenToo(port, "::1");
    try {
      return await app.listen({ port: boundPort(second?.address() ?? null) ?? port, host: "127.0.0.1" });
    } catch (error) {
      await servers.stopListeningToo();
      if (port !== 0 || tries === 1 || errorCode(error) !== "EADDRINUSE") throw error;
      return this.#bindLocalhost(port, tries - 1);
    }
  }

  #refuseWhenClosing(): void {
    if (this.#closing === undefined) return;
    throw new DecernError("SERVER_CLOSING", { detail: "a closed server cannot listen again" });
  }

  #closeOn(signal: AbortSignal): void {
    // `close` logs its failure, and nothing waits for it here.
    const stop = (): void => void this.close().catch(() => {});
    signal.addEventListener("abort", stop, { once: true });
    this.#forgetSignal = () => signal.removeEventListener("abort", stop);
    if (signal.aborted) stop();
  }

  close(): Promise<void> {
    this.#parts.closing.abort();
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#forgetSignal();
    const problem = await this.#closeInTime();
    if (problem === undefined) return;
    this.#parts.settings.logger.error({ err: problem }, "The server could not close cleanly");
    throw problem;
  }

  /** Closes everything within the time limit. Returns what the host's hooks did wrong instead of throwing it. */
  async #closeInTime(): Promise<DecernError | undefined> {
    const closed = this.#closeAll().then(
      () => ({ problem: undefined }),
      (cause: unknown) => ({
        problem: new DecernError("CLOSE_FAILED", { detail: "an onClose hook failed", cause }),
      }),
    );
    let settled = await within(this.#parts.settings.closeTimeoutMs, closed);
    if (settled === undefined) {
      const endedMs = await this.#parts.servers.endAll();
      // Connections may have used up the time, and hooks only start when the last one has ended.
      const leftMs = endedMs + hooksMs - performance.now();
      if (leftMs > 0) settled = await within(leftMs, closed);
    }
    if (settled !== undefined) return settled.problem;
    return new DecernError("CLOSE_FAILED", {
      detail: `${this.#late} within closeTimeoutMs (${this.#parts.settings.closeTimeoutMs} ms)`,
    });
  }

  async #closeAll(): Promise<void> {
    // Closing Fastify while it binds would leave its `listen` pending forever.
    await this.#starting?.catch(() => {});
    if (this.#parts.app.server.listening) {
      this.#parts.servers.sweep();
      // `close` stops accepting connections. Clients between two requests, or just connecting, first get a 503.
      await new Promise((resolve) =>
        setTimeout(resolve, Math.min(sweepMs, this.#parts.settings.closeTimeoutMs)),
      );
    }
    await this.#parts.app.close();
    await this.#parts.servers.drain();
    this.#late = "the decision log's store did not take the records in memory";
    // The host made the log, and may use it elsewhere: it closes it.
    await this.#parts.settings.log?.flush();
  }
}

/** The value of a promise, or `undefined` if it takes longer. */
async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    // One turn later: on a busy machine, the promise may have settled together with the timer.
    timer = setTimeout(() => setImmediate(() => resolve(undefined)), ms);
  });
  const first = await Promise.race([promise, late]);
  clearTimeout(timer);
  return first;
}

function boundPort(address: AddressInfo | string | null): number | undefined {
  return typeof address === "object" && address !== null ? address.port : undefined;
}
