import { connect } from "node:net";

/** What came back on a connection, and how it ended. */
export interface Conversation {
  readonly received: string;
  readonly closed: boolean;
  readonly afterMs: number;
}

/** Says something, in pieces with pauses between them, and listens until the connection closes or the time is up. */
export function converse(
  port: number,
  pieces: readonly (string | Uint8Array)[],
  { pauseMs = 0, waitMs = 5000, end = false } = {},
): Promise<Conversation> {
  return new Promise((resolve) => {
    const started = performance.now();
    const socket = connect(port, "127.0.0.1");
    let received = "";
    let closed = false;
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ received, closed, afterMs: performance.now() - started });
    };
    const timer = setTimeout(finish, waitMs);
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("data", (text: string) => {
      received += text;
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      closed = true;
      finish();
    });
    socket.on("connect", async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece);
        if (pauseMs > 0) await new Promise((next) => setTimeout(next, pauseMs));
      }
      if (end) socket.end();
    });
  });
}

/** The status lines of what was received. */
export function statuses({ received }: Conversation): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
