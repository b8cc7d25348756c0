import { once } from "node:events";
import type { Writable } from "node:stream";

/** Writes, and waits while the reader does not keep up, so that unread output does not fill the memory. */
export async function writeText(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}
