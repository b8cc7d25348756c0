import { request } from "node:http";

/** One request, with full control over its bytes. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | string | undefined;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Sends it over a new socket. */
export function send(port: number, { method, path, headers = {}, body }: RawRequest): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", method, path, agent: false, setHost: true }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("error", reject);
      reply.on("end", () => {
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        });
      });
    });
    sent.on("error", reject);
    // A server may reply and close before it has read a body that it refuses.
    sent.on("socket", (socket) => socket.on("error", () => {}));
    for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
    // Node omits the length for some methods, and the body would then be read as the next request.
    if (body !== undefined) sent.setHeader("content-length", Buffer.byteLength(body));
    if (body === undefined) sent.end();
    else sent.end(body);
  });
}
