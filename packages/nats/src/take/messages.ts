import type { BulkItem } from "@decern/bulk";
import type { JsMsg } from "@nats-io/jetstream";
import type { NatsSettings } from "../options.js";

export interface TakenMessage {
  readonly message: JsMsg;
  readonly items: readonly BulkItem[];
}

/**
 * Names a message for whatever is published about it: the same for every publisher, and however often.
 *
 * @param separator - between the parts of the name
 */
export function messageId(
  { seq, timestampNanos }: Pick<JsMsg, "seq" | "timestampNanos">,
  { stream, consumer }: Pick<NatsSettings, "stream" | "consumer">,
  separator = ":",
): string {
  // Another consumer of the stream, with a different decision, may publish to the same results.
  // A stream that was created again counts from 1. Without the time, its results would be dropped as duplicates.
  return [stream, consumer, seq, timestampNanos].join(separator);
}

const newline = 0x0a;

/**
 * The inputs of a message: one a line. A message of one line has its sequence as its position, the lines of others have
 * `<sequence>:<line>`, from 1. A message without any text is one input, which isn't JSON.
 */
export function messageLines({ seq, data }: Pick<JsMsg, "seq" | "data">): readonly BulkItem[] {
  const lines = linesOf(data);
  return lines.map((bytes, index) => ({
    position: lines.length === 1 ? String(seq) : `${seq}:${index + 1}`,
    bytes,
  }));
}

/** An empty line counts: it gets a result in its place. */
function linesOf(data: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = data.indexOf(newline); end !== -1; end = data.indexOf(newline, start)) {
    lines.push(data.subarray(start, end));
    start = end + 1;
  }
  if (start < data.length || lines.length === 0) lines.push(data.subarray(start));
  return lines;
}
