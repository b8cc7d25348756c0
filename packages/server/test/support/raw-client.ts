import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One connection, with full control over its bytes. */
export class RawClient {
  readonly socket: Socket;
  /** Resolves with everything that was received once the connection has ended. */
  readonly ended: Promise<string>;
  received = "";
  #look = (): void => {};

  private constructor(port: number, host: string) {
    this.socket = connect(port, host).setNoDelay(true).setEncoding("latin1");
    this.socket.on("data", (text: string) => {
      this.received += text;
      this.#look();
    });
    this.socket.on("error", () => {});
    this.ended = new Promise((resolve) => this.socket.once("close", () => resolve(this.received)));
  }

  static async open(port: number, host = "127.0.0.1"): Promise<RawClient> {
    const client = new RawClient(port, host);
    await once(client.socket, "connect");
    return client;
  }

  send(text: string): this {
    this.socket.write(text, "latin1");
    return this;
  }

  /** Resolves when the received text matches. */
  until(pattern: RegExp): Promise<void> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (pattern.test(this.received)) resolve();
      };
      this.#look();
    });
  }
}

/** The status of each reply in a conversation. */
export function statuses(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
