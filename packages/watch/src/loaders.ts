import type { ProfileDocument } from "@decern/core";
import { DecernError } from "@decern/core";
import { notLoaded, readProfileDocument } from "./document.js";

/** The arguments of a load. */
export interface ProfileLoadContext {
  /** The entity tag of the set that was accepted last; absent if it had none. */
  readonly etag?: string;
  /** Aborts when the load takes too long, or the host closes. */
  readonly signal: AbortSignal;
}

export interface LoadedProfiles {
  /** Equal texts are the same set: one in use is not accepted again, and a rejected one is not reported again. */
  readonly text: string;
  readonly etag: string | undefined;
  /** @throws DecernError for an invalid document */
  read(): ProfileDocument;
}

/** Reads one place that has profiles. */
export interface ProfileLoader {
  /** The place, for messages. No secrets. */
  readonly name: string;
  /** Loads without waiting, where the place allows it. */
  loadNow?(): LoadedProfiles;
  /** @returns `undefined` when the set with the tag in the context is still the one to use */
  load(context: ProfileLoadContext): Promise<LoadedProfiles | undefined>;
}

/** A document of ten thousand tenants is far smaller. */
const maxProfileBytes = 10 * 1024 * 1024;

/** Decodes a document's bytes. Bytes that aren't UTF-8 would silently turn into other text. */
function decodeProfiles(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notLoaded(name, "is not valid UTF-8");
  }
}

/** The error of a document above {@link maxProfileBytes}. */
function tooLarge(name: string): Error {
  return notLoaded(name, `is larger than ${maxProfileBytes / 1024 / 1024} MiB`);
}

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

/**
 * Reads profiles over HTTP, and asks with the tag of the set in use. It follows no redirect: headers with a secret must not
 * reach another host.
 */
export function urlLoader(url: URL, headers: Readonly<Record<string, string>>): ProfileLoader {
  // The query and the credentials of a URL are often secrets.
  const name = `${url.origin}${url.pathname}`;
  return {
    name,
    load: async ({ etag, signal }) => {
      const response = await request(url, headers, { etag, signal }, name);
      if (response.status === 304 && etag !== undefined) return undefined;
      if (response.status !== 200) {
        discard(response);
        throw notLoaded(name, refusal(response));
      }
      const text = decodeProfiles(await readBody(response, name, signal), name);
      return {
        text,
        etag: response.headers.get("etag") ?? undefined,
        read: () => readProfileDocument(text, name),
      };
    },
  };
}

async function request(
  url: URL,
  given: Readonly<Record<string, string>>,
  { etag, signal }: { readonly etag: string | undefined; readonly signal: AbortSignal },
  name: string,
): Promise<Response> {
  const headers = new Headers(given);
  if (!headers.has("accept")) headers.set("accept", "application/json");
  // Without this, fetch adds `no-cache` to a conditional request, and Express responds to such a request with 200 every time.
  if (!headers.has("cache-control")) headers.set("cache-control", "max-age=0");
  if (etag !== undefined) headers.set("if-none-match", etag);
  try {
    return await fetch(url, { headers, signal, redirect: "manual" });
  } catch (error) {
    throw unreachable(name, "cannot be reached", error, signal);
  }
}

function refusal({ status, type }: Response): string {
  // A redirect that is not followed has the status 0 where fetch hides it.
  if (type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304)) {
    return "is a redirect, which is not followed: use the URL that it points to";
  }
  return `responded with status ${status} instead of 200${status === 304 ? " to an unconditional request" : ""}`;
}

async function readBody(response: Response, name: string, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      // Leaving the loop cancels the rest.
      if (size > maxProfileBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw unreachable(name, "stopped responding", error, signal);
  }
  if (size > maxProfileBytes) throw tooLarge(name);
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

/** Releases a connection whose body is not read. */
function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

function unreachable(name: string, what: string, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return notLoaded(name, `${what}${code}`, error);
}

/** Listens for changes, and calls `load` when there could be one. */
export type WakeProfiles = (load: () => void) => (() => unknown) | undefined;

/** Doesn't keep the process alive. Timers of other platforms are plain numbers. */
export function keepNothingAlive(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === "object") timer.unref();
}
