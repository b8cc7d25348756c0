import { DecernError } from "@decern/core";
import {
  type Format,
  type Loader,
  loadedFiles,
  notLoaded,
  type Place,
  type ReadFile,
  tooLarge,
} from "./place.js";

/** What is asked of a path. Two equal ones of a file mean that it did not change in between. */
interface Stats {
  isFile(): boolean;
  readonly size: number;
  readonly ino: number;
  readonly mtimeMs: number;
}

/**
 * Reads a file. It opens the path anew each time: a mounted ConfigMap changes by a swap of links, an editor
 * renames a new file over the old one, and neither touches the file that was open before.
 *
 * @throws DecernError `INVALID_OPTIONS` where there is no file system
 */
export function fileLoader(path: string, format: Format): Loader {
  const place: Place = { part: format.part, source: "file", name: `file "${path}"` };
  const fs = fileSystem(place);
  const checkKind = (stats: Stats): void => {
    // Opening a pipe would wait for its writer.
    if (!stats.isFile()) throw notLoaded(place, "is not a regular file");
    if (stats.size > format.mostBytes) throw tooLarge(place, format.mostBytes);
  };
  const loaded = (bytes: Uint8Array) => loadedFiles([{ name: path, bytes }], place, format);
  return {
    place,
    loadNow: () => {
      try {
        checkKind(fs.statSync(path));
        return loaded(fs.readFileSync(path));
      } catch (error) {
        throw unreadable(place, error);
      }
    },
    load: async ({ signal }) => {
      try {
        checkKind(await fs.promises.stat(path));
        return loaded(await fs.promises.readFile(path, { signal }));
      } catch (error) {
        throw unreadable(place, error);
      }
    },
  };
}

/** How often a folder is read again that changes while it is read. */
const mostTries = 5;

/** A file of a folder, as it was before it was read. */
interface Listed {
  readonly name: string;
  readonly stats: Stats;
}

/**
 * Reads the files of a folder as one set, without those below it and those whose names begin with a dot. They are listed again
 * after they were read: a folder that has changed meanwhile, such as a mounted ConfigMap by a swap of links, is read again.
 *
 * @param endings - of the names to read
 * @throws DecernError `INVALID_OPTIONS` where there is no file system
 */
export function folderLoader(path: string, endings: readonly string[], format: Format): Loader {
  const place: Place = { part: format.part, source: "folder", name: `folder "${path}"` };
  const fs = fileSystem(place);
  const isRead = (name: string): boolean =>
    !name.startsWith(".") && endings.some((end) => name.endsWith(end));
  const at = (name: string): string => `${path}/${name}`;
  const checked = (listed: readonly Listed[]): readonly Listed[] => {
    const files = listed.filter(({ stats }) => stats.isFile());
    const size = files.reduce((sum, { stats }) => sum + stats.size, 0);
    if (size > format.mostBytes) throw tooLarge(place, format.mostBytes);
    return files;
  };
  const loaded = (files: readonly ReadFile[]) => loadedFiles(files, place, format);
  const listNow = (): readonly Listed[] =>
    checked(
      fs
        .readdirSync(path)
        .filter(isRead)
        .sort()
        .map((name) => ({ name, stats: fs.statSync(at(name)) })),
    );
  const list = async (): Promise<readonly Listed[]> => {
    const names = (await fs.promises.readdir(path)).filter(isRead).sort();
    return checked(
      await Promise.all(names.map(async (name) => ({ name, stats: await fs.promises.stat(at(name)) }))),
    );
  };
  return {
    place,
    loadNow: () =>
      untilStill(place, () => {
        const before = listNow();
        const files = before.map(({ name }) => ({ name, bytes: fs.readFileSync(at(name)) }));
        return isSame(before, listNow()) ? loaded(files) : undefined;
      }),
    load: async ({ signal }) => {
      for (let left = mostTries; left > 0; left -= 1) {
        try {
          const before = await list();
          const files: ReadFile[] = [];
          for (const { name } of before)
            files.push({ name, bytes: await fs.promises.readFile(at(name), { signal }) });
          if (isSame(before, await list())) return loaded(files);
        } catch (error) {
          if (!isGone(error) || left === 1) throw unreadable(place, error);
        }
      }
      throw stillChanging(place);
    },
  };
}

function untilStill<T>(place: Place, read: () => T | undefined): T {
  for (let left = mostTries; left > 0; left -= 1) {
    try {
      const value = read();
      if (value !== undefined) return value;
    } catch (error) {
      if (!isGone(error) || left === 1) throw unreadable(place, error);
    }
  }
  throw stillChanging(place);
}

function stillChanging(place: Place): DecernError {
  return notLoaded(place, "keeps changing while it is read");
}

function isSame(before: readonly Listed[], after: readonly Listed[]): boolean {
  const keyOf = (listed: readonly Listed[]): string =>
    JSON.stringify(listed.map(({ name, stats: { ino, size, mtimeMs } }) => [name, ino, size, mtimeMs]));
  return keyOf(before) === keyOf(after);
}

/** A file that was listed is not there any more. */
function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function unreadable(place: Place, error: unknown): DecernError {
  if (error instanceof DecernError) return error;
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return notLoaded(place, `cannot be read${code}`, error);
}

/** The file system, without an import of it: this package loads where there is none. */
function fileSystem({ part, source }: Place): typeof import("node:fs") {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs");
  if (fs === undefined) {
    const message = "needs process.getBuiltinModule (Node 20.16 or newer); use url or load instead";
    throw new DecernError("INVALID_OPTIONS", {
      detail: part === "profiles" ? "watchProfiles" : "watchDecisions",
      problems: [{ path: `/${source}`, message }],
    });
  }
  return fs;
}
