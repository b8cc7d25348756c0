import { type IncomingMessage, ServerResponse } from "node:http";

/**
 * A response whose head and text leave in one plain write. Node's own `end(text)` adds an empty part behind the text, and
 * takes the slower way of writing several parts for it, which costs a small reply a twentieth.
 */
export class SingleWriteResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override end(callback?: () => void): this;
  override end(chunk: unknown, callback?: () => void): this;
  override end(chunk: unknown, encoding: BufferEncoding, callback?: () => void): this;
  override end(chunk?: unknown, encoding?: BufferEncoding | (() => void), callback?: () => void): this {
    // Only where the head is ready: without its length, a text that comes before the end would be sent in chunks.
    if (
      typeof chunk === "string" &&
      typeof encoding !== "function" &&
      this.headersSent &&
      this.socket?.writableCorked === 0
    ) {
      this.write(chunk, encoding ?? "utf8");
      this.socket.uncork();
      return super.end(callback);
    }
    return typeof encoding === "function"
      ? super.end(chunk, encoding)
      : super.end(chunk, encoding ?? "utf8", callback);
  }
}
