import { createWriteStream, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** What came through standard input, as a file. */
export interface Spool {
  readonly path: string;
  remove(): void;
}

/** Writes a stream to a file that only this user can read, because records are read more than once. */
export async function spool(input: Readable, signal: AbortSignal): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), "decern-"));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  // The process also ends when nobody reads its output any more.
  process.once("exit", removeFolder);
  const remove = (): void => {
    process.off("exit", removeFolder);
    removeFolder();
  };
  const path = join(folder, "records.ndjson");
  try {
    await pipeline(input, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    remove();
    throw signal.aborted ? signal.reason : error;
  }
  return { path, remove };
}
