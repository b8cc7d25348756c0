import type { AddressInfo } from "node:net";
import { checkOptions, DecernError } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { listenError } from "./decision-server.js";
import type { HttpServers } from "./http-servers.js";
import { startupNotice } from "./notice.js";
import type { ListenOptions } from "./options.js";

/** How long connections that go on asking are told to go before idle ones are ended, and how often those are looked for. */
const sweepMs = 50;

/** Starts and stops a service. */
export class Lifecycle {
  readonly #app: FastifyInstance;
  readonly #servers: HttpServers;
  readonly #notice: { readonly decisionCount: number; readonly docs: boolean };
  readonly #closeTimeoutMs: number;
  #closing: Promise<void> | undefined;

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
    checkOptions("listen", options, { known: ["host", "signal"] });
    const { host = "localhost", signal } = options;
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new DecernError("INVALID_OPTIONS", {
        detail: "listen: the port has to be a whole number from 0 to 65535",
      });
    }
    if (this.closing)
      throw new DecernError("SERVER_CLOSING", { detail: "a closed server cannot listen again" });
    await this.#app.ready();
    let address: string;
    try {
      address = await this.#app.listen({ port, host });
    } catch (error) {
      throw listenError(error, port, host);
    }
    const stop = (): void => void this.close();
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
    const bound = boundPort(this.#app.server.address()) ?? port;
    const origin = host === "localhost" ? `http://localhost:${bound}` : address;
    console.log(startupNotice(origin, bound, this.#notice.decisionCount, this.#notice.docs));
    return address;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const listening = this.#app.server.listening;
    // After the poll phase: what has arrived by then has been read, and its connection is not idle.
    const sweep = setInterval(() => setImmediate(() => this.#servers.closeIdle()), sweepMs);
    const giveUp = setTimeout(() => this.#servers.closeAll(), this.#closeTimeoutMs);
    try {
      // Fastify stops taking connections, and Node ends the idle ones, at once. Who is between two requests is told first.
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
