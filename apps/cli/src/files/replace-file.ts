import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

/** A file beside it that is this old was left behind by a process that ended: it exists while one file is renamed. */
const staleMs = 10_000;

/**
 * Replaces the whole file or nothing, and only while it has the text that was read from it. Other processes may do the same at
 * the same time. Anything else than a file, such as a pipe, is written to.
 *
 * @param earlier - what was read; `undefined` where there was no file
 * @returns whether it was replaced; otherwise another process has changed it
 */
export async function replaceFile(file: string, text: string, earlier: string | undefined): Promise<boolean> {
  const entry = await stat(file).catch(() => undefined);
  if (entry !== undefined && !entry.isFile()) {
    await writeFile(file, text);
    return true;
  }
  const unfinished = `${file}.${randomUUID()}.new`;
  const turn = `${file}.turn`;
  try {
    await writeFile(unfinished, text);
    await takeTurn(turn);
    try {
      if ((await textOf(file)) !== earlier) return false;
      await rename(unfinished, file);
      return true;
    } finally {
      await rm(turn, { force: true });
    }
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** The text of a file; `undefined` where there is none. */
export async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isCoded(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Creates a file that nobody else can create at the same time. */
async function takeTurn(turn: string): Promise<void> {
  for (;;) {
    try {
      return await (await open(turn, "wx")).close();
    } catch (error) {
      if (!isCoded(error, "EEXIST")) throw error;
      const entry = await stat(turn).catch(() => undefined);
      if (entry !== undefined && Date.now() - entry.mtimeMs > staleMs) await rm(turn, { force: true });
      else await setTimeout(10);
    }
  }
}

function isCoded(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
