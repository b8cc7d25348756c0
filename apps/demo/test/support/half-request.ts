import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { requestBody } from "./requests.js";

/** A request whose head the server has read, and whose body it has not, or the first half of it only. */
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
  // The server says so when it has read the head: from then on the request is under way.
  socket.write(
    `POST /decisions/loan-approval HTTP/1.1\r\nhost: demo\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  );
  const interim = "HTTP/1.1 100 Continue\r\n\r\n";
  while (received.length < interim.length) await once(socket, "data");
  if (received !== interim) throw new Error(`Not told to go on, but: ${received}`);
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
