import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { requestBody } from "./requests.js";

/** A request whose head and first half of the body have arrived, and whose rest has not. */
export interface HalfRequest {
  readonly socket: Socket;
  /** Sends the rest, and resolves with all that came back when the server has closed the connection. */
  finish(): Promise<string>;
}

/** Sends one half of an evaluation, and keeps the connection open. */
export async function sendHalf(port: number): Promise<HalfRequest> {
  const body = requestBody("loan-approval/prime.json");
  const middle = Math.floor(body.length / 2);
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  await once(socket, "connect");
  socket.write(
    `POST /decisions/loan-approval HTTP/1.1\r\nhost: demo\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
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
