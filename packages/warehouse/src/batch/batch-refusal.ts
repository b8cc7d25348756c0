import type { ErrorCode } from "@decern/core";
import { type ErrorReply, tableReply } from "@decern/core/host";

/** The most bytes that an engine shows of a message. BigQuery takes less than 1 KB. */
const maxMessage = 1000;

/** Why a request as a whole is not answered. Its message may leave. */
export class BatchRefusal extends Error {
  override readonly name = "BatchRefusal";
  readonly reply: ErrorReply;

  constructor(code: ErrorCode, detail?: string, status?: number) {
    const reply = tableReply(code, detail);
    super(reply.message);
    this.reply = status === undefined ? reply : { ...reply, status };
  }
}

/** A message with its code, in fewer bytes than any engine's limit. */
export function messageOf({ message, code }: ErrorReply): string {
  const suffix = ` (${code})`;
  let text = message;
  while (Buffer.byteLength(text) + suffix.length > maxMessage)
    text = text.slice(0, -Math.ceil(text.length / 10));
  // Half a character is none.
  return `${text.replace(/[\ud800-\udbff]$/, "")}${suffix}`;
}
