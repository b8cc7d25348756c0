import { DecernError } from "../errors.js";
import { decodeProfiles, maxProfileBytes, tooLarge } from "./profile-bytes.js";
import { notLoaded, readProfileDocument } from "./profile-document.js";
import type { LoadedProfiles, ProfileLoader } from "./profile-loader.js";

/**
 * Reads profiles from a file. It opens the path anew each time: a mounted ConfigMap changes by a swap of links, an editor
 * renames a new file over the old one, and neither touches the file that was open before.
 *
 * @throws DecernError `INVALID_OPTIONS` where there is no file system
 */
export function fileLoader(path: string): ProfileLoader {
  const name = `file "${path}"`;
  const fs = fileSystem();
  const loaded = (bytes: Uint8Array): LoadedProfiles => {
    const text = decodeProfiles(bytes, name);
    return { text, etag: undefined, read: () => readProfileDocument(text, name) };
  };
  const checkKind = (stats: { isFile(): boolean; readonly size: number }): void => {
    // Opening a pipe would wait for its writer.
    if (!stats.isFile()) throw notLoaded(name, "is not a regular file");
    if (stats.size > maxProfileBytes) throw tooLarge(name);
  };
  return {
    name,
    loadNow: () => {
      try {
        checkKind(fs.statSync(path));
        return loaded(fs.readFileSync(path));
      } catch (error) {
        throw unreadable(name, error);
      }
    },
    load: async ({ signal }) => {
      try {
        checkKind(await fs.promises.stat(path));
        return loaded(await fs.promises.readFile(path, { signal }));
      } catch (error) {
        throw unreadable(name, error);
      }
    },
  };
}

function unreadable(name: string, error: unknown): DecernError {
  if (error instanceof DecernError) return error;
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return notLoaded(name, `cannot be read${code}`, error);
}

/** The file system, without an import of it: this package loads where there is none. */
function fileSystem(): typeof import("node:fs") {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs");
  if (fs === undefined) {
    const message = "needs process.getBuiltinModule (Node 20.16 or newer); use url or load instead";
    throw new DecernError("INVALID_OPTIONS", {
      detail: "watchProfiles",
      problems: [{ path: "/file", message }],
    });
  }
  return fs;
}
