import { once } from "node:events";
import { connect } from "node:net";

/**
 * Sends raw bytes, and reads until the server closes the connection.
 *
 * @param rest - sent once it resolves
 */
export async function rawRequest(port: number, bytes: string, rest?: Promise<string>): Promise<Response> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  // A server that has replied need not read the rest.
  socket.on("error", () => {});
  socket.write(bytes);
  const closed = once(socket, "close");
  if (rest !== undefined) socket.write(await rest);
  await closed;
  const [head = "", body = ""] = received.split("\r\n\r\n", 2);
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(body, { status: Number(statusLine.split(" ")[1]), headers });
}
