import type { AddressInfo } from "node:net";
import { checkOptions, DecernError, type OptionTable, optionKinds } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { listenError } from "./decision-server.js";
import type { HttpServers } from "./http-servers.js";
import { startupNotice } from "./notice.js";
import type { ListenOptions } from "./options.js";

/** How long connections that go on asking are told to go before idle ones are ended, and how often those are looked for. */
const sweepMs = 50;

const listenOptionKinds: OptionTable<ListenOptions> = {
  host: optionKinds.nonEmptyText,
  signal: optionKinds.anything,
};

/** Starts and stops a service. */
export class Lifecycle {
  readonly #app: FastifyInstance;
  readonly #servers: HttpServers;
  readonly #notice: { readonly decisionCount: number; readonly docs: boolean };
  readonly #closeTimeoutMs: number;
  #closing: Promise<void> | undefined;
  #starting: Promise<string> | undefined;
  #forgetSignal: () => void = () => {};

  constructor(
    app: FastifyInstance,
    servers: HttpServers,
    notice: { readonly decisionCount: number; readonly docs: boolean },
    closeTimeoutMs: number,
  ) {
    this.#app = app;
    this.#servers = servers;
    this.#notice = notice;
    this.#closeTimeoutMs = closeTimeoutMs;
  }

  get closing(): boolean {
    return this.#closing !== undefined;
  }

  async listen(port = 3000, options: ListenOptions = {}): Promise<string> {
    checkOptions("listen", options, { kinds: listenOptionKinds });
    const { host = "localhost", signal } = options;
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new DecernError("INVALID_OPTIONS", {
        detail: "listen: the port has to be a whole number from 0 to 65535",
      });
    }
    if (signal?.aborted === true) await this.close();
    this.#refuseWhenClosing();
    const starting = this.#bind(port, host);
    this.#starting = starting;
    const address = await starting;
    this.#refuseWhenClosing();
    if (signal !== undefined) this.#closeOn(signal);
    const bound = boundPort(this.#app.server.address()) ?? port;
    const origin = host === "localhost" ? `http://localhost:${bound}` : address;
    console.log(startupNotice(origin, bound, this.#notice.decisionCount, this.#notice.docs));
    return address;
  }

  async #bind(port: number, host: string): Promise<string> {
    await this.#app.ready();
    try {
      return await this.#app.listen({ port, host });
    } catch (error) {
      throw listenError(error, port, host);
    }
  }

  #refuseWhenClosing(): void {
    if (!this.closing) return;
    throw new DecernError("SERVER_CLOSING", { detail: "a closed server cannot listen again" });
  }

  #closeOn(signal: AbortSignal): void {
    const stop = (): void => void this.close();
    signal.addEventListener("abort", stop, { once: true });
    this.#forgetSignal = () => signal.removeEventListener("abort", stop);
    if (signal.aborted) stop();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#forgetSignal();
    // Fastify cannot be closed half bound: its `listen` would never settle.
    await this.#starting?.catch(() => {});
    const listening = this.#app.server.listening;
    // After the poll phase: what has arrived by then has been read, and its connection is not idle.
    const sweep = setInterval(() => setImmediate(() => this.#servers.closeIdle()), sweepMs);
    const giveUp = setTimeout(() => this.#servers.closeAll(), this.#closeTimeoutMs);
    try {
      // From here on Fastify takes no connections: who is between two requests, or comes just now, is told first.
      if (listening)
        await new Promise((resolve) => setTimeout(resolve, Math.min(sweepMs, this.#closeTimeoutMs)));
      await this.#app.close();
      await this.#servers.closed();
    } finally {
      clearInterval(sweep);
      clearTimeout(giveUp);
    }
  }
}

function boundPort(address: AddressInfo | string | null): number | undefined {
  return typeof address === "object" && address !== null ? address.port : undefined;
}
