import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type ReadReplies, readReplies } from "../../../../test/support/read-replies.js";
import type { DecisionServer } from "../../src/index.js";

/** Binds a free port. */
export async function bind(server: DecisionServer): Promise<number> {
  return Number(new URL(await server.handler.listen({ port: 0, host: "127.0.0.1" })).port);
}

/** The bytes of one request. */
export function get(path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;
}

/** The bytes of an evaluation request. */
export function post(path: string, body: string, headers = ""): string {
  return `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}

export async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Writes, and reads until the server ends the connection. */
export async function converse(port: number, text: string, methods: readonly string[] = []) {
  const socket = await open(port);
  const received = readUntilEnd(socket, methods);
  socket.write(text);
  return received;
}

/** Reads until the server ends the connection. */
export async function readUntilEnd(socket: Socket, methods: readonly string[] = []): Promise<ReadReplies> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  return readReplies(Buffer.concat(chunks).toString("latin1"), methods);
}
