import { type Awaitable, DecernError, type LoadedSet } from "@decern/core";

/** A place that has sets. */
export interface Place {
  readonly part: "profiles" | "decisions";
  /** The kind of place. */
  readonly source: "file" | "folder" | "url" | "load";
  /** For messages. No secrets. */
  readonly name: string;
}

const codes = { profiles: "PROFILES_NOT_LOADED", decisions: "DECISIONS_NOT_LOADED" } as const;

/** The error of a place. */
export function notLoaded(
  { part, name }: Pick<Place, "part" | "name">,
  what: string,
  cause?: unknown,
): DecernError {
  const detail = `${name} ${what}`;
  return new DecernError(codes[part], cause === undefined ? { detail } : { detail, cause });
}

/** One file as it was read. */
export interface ReadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A set that can be used once it has passed its check. */
export interface ReadSet extends LoadedSet {
  /**
   * Looks for what takes long to find.
   *
   * @param signal - ends the search, which must not block. Without it, nothing is in use yet, and it may
   * @returns what is wrong. Rejects where the search failed
   */
  readonly check?: ((signal?: AbortSignal) => Awaitable<DecernError | undefined>) | undefined;
}

/** What files of a place mean. */
export interface Format {
  readonly part: Place["part"];
  /** For the `Accept` header. */
  readonly accept: string;
  /** All files together may have this many bytes. */
  readonly mostBytes: number;
  /** @throws DecernError for invalid files */
  read(files: readonly ReadFile[], place: Place): ReadSet;
}

/** The arguments of a load. */
export interface LoadContext {
  /** The entity tag of the set that was accepted last; absent if it had none. */
  readonly etag?: string;
  /** Aborts when the load takes too long, or the host closes. */
  readonly signal: AbortSignal;
}

export interface Loaded {
  /** Equal texts are the same set: one in use is not accepted again, and a rejected one is not reported again. */
  readonly text: string;
  readonly etag: string | undefined;
  /** @throws DecernError for an invalid set */
  read(): ReadSet;
}

/** Reads one place. */
export interface Loader {
  readonly place: Place;
  /** Loads without waiting, where the place allows it. */
  loadNow?(): Loaded;
  /** @returns `undefined` when the set with the tag in the context is still the one to use */
  load(context: LoadContext): Promise<Loaded | undefined>;
}

/** What a loader returns for files. */
export function loadedFiles(
  files: readonly ReadFile[],
  place: Place,
  format: Format,
  etag?: string | undefined,
): Loaded {
  return {
    text:
      JSON.stringify(files.map(({ name }) => name)) + files.map(({ bytes }) => exactText(bytes)).join("\n"),
    etag,
    read: () => ({ ...format.read(files, place), source: place.source }),
  };
}

/** Each byte as a character, of which JavaScript engines keep one byte. */
export function exactText(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** Names content; `undefined` where there is no hash function. */
export function digestOf(parts: readonly (string | Uint8Array)[]): string | undefined {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto");
  if (crypto === undefined) return undefined;
  const hash = crypto.createHash("sha256");
  for (const part of parts) hash.update(`${part.length} `).update(part);
  return `sha256:${hash.digest("hex")}`;
}

/** The error of files above `mostBytes`. */
export function tooLarge(place: Place, mostBytes: number): DecernError {
  return notLoaded(place, `is larger than ${mostBytes / 1024 / 1024} MiB`);
}

/** Listens for changes, and calls `load` when there could be one. */
export type WakeSource = (load: () => void) => (() => unknown) | undefined;

/** Doesn't keep the process alive. Timers of other platforms are plain numbers. */
export function keepNothingAlive(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === "object") timer.unref();
}
