import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Everything received on a connection until it was closed. */
export interface Conversation {
  readonly received: string;
}

export interface Manners {
  /** How long the client waits after each piece. */
  readonly pauseMs?: number;
  /** Whether it ends its side after the last piece. */
  readonly end?: boolean;
  /** How long after the last piece the client hangs up. @default waits for the server to close */
  readonly hangUpAfterMs?: number;
}

/** Sends pieces with pauses between them, and reads until the connection closes. */
export function converse(
  port: number,
  pieces: Iterable<string | Uint8Array>,
  { pauseMs = 0, end = false, hangUpAfterMs }: Manners = {},
): Promise<Conversation> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("data", (text: string) => {
      received += text;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve({ received }));
    socket.on("connect", async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece);
        if (pauseMs > 0) await sleep(pauseMs);
      }
      if (end) socket.end();
      if (hangUpAfterMs === undefined) return;
      await sleep(hangUpAfterMs);
      socket.destroy();
    });
  });
}

/** The status lines of the received replies. */
export function statuses({ received }: Conversation): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
