import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * Spreads connections in turn, as a Kubernetes service does: it knows nothing of requests, and a connection stays with the
 * process that it was given to.
 */
export class ConnectionBalancer {
  /** Where new connections go. */
  readonly ports: number[];
  readonly #server = createServer((client) => this.#forward(client));
  readonly #open = new Set<Socket>();
  #next = 0;

  constructor(ports: readonly number[]) {
    this.ports = [...ports];
  }

  /** @returns the port on which it listens */
  async listen(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return address.port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #forward(client: Socket): void {
    const port = this.ports[this.#next % this.ports.length] ?? 0;
    this.#next += 1;
    const service = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      this.#open.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.once("close", () => this.#open.delete(from));
    }
  }
}
