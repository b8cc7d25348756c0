import { once } from "node:events";
import type { Writable } from "node:stream";

/** Writes, and waits while the reader does not keep up: memory must not fill with what nobody reads yet. */
export async function writeText(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}
