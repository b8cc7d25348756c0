import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { requestBody } from "./requests.js";

/** A request whose head the server has read, but not its body, or only half of it. */
export interface HalfRequest {
  readonly socket: Socket;
  /** Sends the rest, and resolves with everything received once the server has closed the connection. */
  finish(): Promise<string>;
}

/** Sends half of an evaluation request, and keeps the connection open. */
export async function sendHalf(port: number): Promise<HalfRequest> {
  const body = requestBody("loan-approval/prime.json");
  const middle = Math.floor(body.length / 2);
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  await once(socket, "connect");
  // `100 Continue` shows that the server has read the head, so the request is now in progress.
  socket.write(
    `POST /decisions/loan-approval HTTP/1.1\r\nhost: demo\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  );
  const interim = "HTTP/1.1 100 Continue\r\n\r\n";
  while (received.length < interim.length) await once(socket, "data");
  if (received !== interim) throw new Error(`Expected 100 Continue, received: ${received}`);
  received = "";
  socket.write(body.subarray(0, middle));
  return {
    socket,
    finish: async () => {
      const closed = once(socket, "close");
      socket.write(body.subarray(middle));
      await closed;
      return received;
    },
  };
}
