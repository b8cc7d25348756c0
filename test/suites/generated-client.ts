import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { generate } from "orval";

const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
const flags = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--types", ""];

async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "decern-client-"));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/**
 * Compiles a program of one or more files.
 *
 * @returns what the compiler reports: nothing if the program compiles
 */
export function compile(files: Readonly<Record<string, string>>): Promise<string> {
  return inDirectory(async (directory) => {
    await writeFile(join(directory, "package.json"), '{ "type": "module" }');
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    try {
      await promisify(execFile)(process.execPath, [tsc, ...flags, ...Object.keys(files)], { cwd: directory });
      return "";
    } catch (error) {
      return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
    }
  });
}

/** The client that orval generates from a document, with `fetch`. */
export function orvalClient(document: object): Promise<string> {
  return inDirectory(async (directory) => {
    await writeFile(join(directory, "openapi.json"), JSON.stringify(document));
    await generate(
      { input: { target: "./openapi.json" }, output: { target: "./client.ts", client: "fetch" } },
      directory,
    );
    return readFile(join(directory, "client.ts"), "utf8");
  });
}
