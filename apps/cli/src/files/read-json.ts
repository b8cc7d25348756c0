import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { CommandError, type CommandIo } from "../command-line/command.js";

/**
 * Reads a JSON file; `-` stands for standard input.
 *
 * @throws CommandError when it cannot be read, or is not JSON
 */
export async function readJson(
  path: string,
  { stdin, cwd }: Pick<CommandIo, "stdin" | "cwd">,
): Promise<unknown> {
  const name = path === "-" ? "standard input" : path;
  const content = path === "-" ? await text(stdin) : await read(path, cwd);
  if (content.trim() === "") throw new CommandError(`${name} is empty`);
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
