import { randomUUID } from "node:crypto";
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { CommandError, type CommandIo } from "./command.js";

type Place = Pick<CommandIo, "stdin" | "cwd">;

/**
 * Reads a JSON file; `-` stands for standard input.
 *
 * @throws CommandError when it cannot be read, or is not JSON
 */
export async function readJson(path: string, place: Place): Promise<unknown> {
  const { name, content } = await readText(path, place);
  return parsedJson(content, name);
}

/**
 * Reads a file that holds JSON; `-` stands for standard input.
 *
 * @throws CommandError when it cannot be read, or is empty
 */
export async function readText(
  path: string,
  { stdin, cwd }: Place,
): Promise<{ readonly name: string; readonly content: string }> {
  const name = path === "-" ? "standard input" : path;
  const content = path === "-" ? await text(stdin) : (await readBytes(path, cwd)).toString();
  if (content.trim() === "") throw new CommandError(`${name} is empty`);
  return { name, content };
}

/** @throws CommandError for a text that is not JSON */
export function parsedJson(content: string, name: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    throw new CommandError(`${name} is not valid JSON${reason}`, { cause });
  }
}

/** @throws CommandError when it cannot be read */
export async function readBytes(path: string, cwd: string): Promise<Buffer> {
  return await readFile(resolve(cwd, path)).catch((cause) => {
    throw unreadable(path, cause);
  });
}

export function unreadable(path: string, cause: unknown): CommandError {
  return new CommandError(`cannot read ${path}${codeOf(cause)}`, { cause });
}

/** @throws CommandError when it cannot be written, or exists and must not */
export async function writeBytes(
  path: string,
  cwd: string,
  content: string | Uint8Array,
  flag: "w" | "wx" = "w",
): Promise<void> {
  await writeFile(resolve(cwd, path), content, { flag }).catch((cause) => {
    const isThere = isCoded(cause, "EEXIST");
    throw new CommandError(isThere ? `${path} exists` : `cannot write ${path}${codeOf(cause)}`, { cause });
  });
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? ` (${cause.code})` : "";
}

/** A `.turn` file exists while one file is renamed, so an older one was left behind by a process that ended. */
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

/** Creates a file that no other process can create at the same time. */
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

const portion = 64 * 1024;

/** Writes a file line by line, in portions. */
export class LineFile {
  readonly #handle: FileHandle;
  #waiting = "";

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Replaces a file that is there. */
  static async create(path: string): Promise<LineFile> {
    return new LineFile(await open(path, "w"));
  }

  async write(line: string): Promise<void> {
    this.#waiting += `${line}\n`;
    if (this.#waiting.length >= portion) await this.#flush();
  }

  async close(): Promise<void> {
    try {
      await this.#flush();
    } finally {
      await this.#handle.close();
    }
  }

  async #flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = "";
    await this.#handle.appendFile(text);
  }
}
