import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { CommandError, type CommandIo } from "../command-line/command.js";

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
  const content = path === "-" ? await text(stdin) : await read(path, cwd);
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

async function read(path: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, path), "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${cause.code})` : "";
    throw new CommandError(`cannot read ${path}${code}`, { cause });
  }
}
