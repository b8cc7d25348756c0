import { isUtf8 } from "node:buffer";
import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { Decision } from "@decern/core";
import { type DmnDocument, loadDmn, withImportedDmn } from "@decern/dmn";
import { CommandError } from "../command-line/command.js";
import { unreadable } from "../command-line/files.js";
import { sentenceOf } from "../text/text.js";

/**
 * A model with those that it imports from its folder.
 *
 * @throws CommandError when it cannot be read
 */
export async function readDmnFile(path: string, cwd: string): Promise<readonly DmnDocument[]> {
  const file = resolve(cwd, path);
  const document = await readDocument(file, path);
  if (!/<(\w+:)?import\b/.test(document.text)) return [document];
  const folder = dirname(file);
  return withImportedDmn(document, await documentsIn(folder, ".dmn", await entriesOf(folder, folder)));
}

/**
 * The decisions of a model and of those that it imports.
 *
 * @throws CommandError when it cannot be read or is rejected
 */
export async function loadDmnFile(path: string, cwd: string): Promise<readonly Decision[]> {
  const documents = await readDmnFile(path, cwd);
  try {
    return loadDmn(documents);
  } catch (cause) {
    throw new CommandError(`${path}: ${sentenceOf(cause)}`, { cause });
  }
}

/** One folder of models and of test files, as the kit has them. */
export interface TestFolder {
  /** Absolute. */
  readonly path: string;
  readonly models: readonly DmnDocument[];
  /** XML, of which some may be something else. */
  readonly tests: readonly DmnDocument[];
}

/**
 * Reads a folder and those in it, one after the other, in the order of their names. Links, hidden folders and `node_modules` are left
 * out.
 *
 * @throws CommandError when one cannot be read
 */
export async function* testFolders(path: string, cwd: string): AsyncGenerator<TestFolder> {
  const folder = resolve(cwd, path);
  const entries = await entriesOf(folder, path);
  const tests = await documentsIn(folder, ".xml", entries);
  if (tests.length > 0) yield { path: folder, models: await documentsIn(folder, ".dmn", entries), tests };
  for (const entry of entries) {
    const isLeftOut = entry.name.startsWith(".") || entry.name === "node_modules";
    if (entry.isDirectory() && !isLeftOut) yield* testFolders(join(path, entry.name), cwd);
  }
}

async function entriesOf(folder: string, path: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function documentsIn(
  folder: string,
  extension: string,
  entries: readonly Dirent[],
): Promise<readonly DmnDocument[]> {
  const names = entries
    .filter((entry) => entry.isFile() && extname(entry.name).toLowerCase() === extension)
    .map(({ name }) => join(folder, name));
  return await Promise.all(names.map((name) => readDocument(name, name)));
}

async function readDocument(file: string, path: string): Promise<DmnDocument> {
  const bytes = await readFile(file).catch((cause) => {
    throw unreadable(path, cause);
  });
  // In another encoding, names and texts would be others.
  if (!isUtf8(bytes)) throw new CommandError(`${path} is not text in UTF-8`);
  return { name: basename(file), text: new TextDecoder().decode(bytes) };
}
