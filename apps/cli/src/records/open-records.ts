import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isJsonObject } from "@decern/core/schema";
import type { DecisionLog, RecordStore } from "@decern/decision-log";
import { CommandError, type CommandIo } from "../command-line/command.js";
import { databaseUrl } from "../command-line/options.js";
import { Progress } from "../command-line/output.js";
import { joinedStore, spool } from "./joined-store.js";

/** Where records are, as the command line names it. */
type RecordPlace =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "database"; readonly url: URL }
  | { readonly kind: "input" };

/** @throws CommandError for a place that does not exist */
async function recordPlace(text: string, cwd: string): Promise<RecordPlace> {
  if (text === "-") return { kind: "input" };
  if (/^postgres(?:ql)?:\/\//.test(text)) return { kind: "database", url: databaseUrl(text) };
  const path = resolve(cwd, text);
  const entry = await stat(path).catch((error: unknown) => {
    throw new CommandError(`there are no records at "${text}": ${fileReason(error)}`);
  });
  return { kind: entry.isDirectory() ? "folder" : "file", path };
}

function fileReason(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "no such file or folder";
  if (code === "EACCES") return "permission denied";
  return error instanceof Error ? error.message : String(error);
}

/** A folder without records can be the wrong one, so it must not count as a success when checking or comparing. */
async function requireLogFolder(path: string, text: string): Promise<void> {
  const names = await readdir(path);
  if (names.some((name) => /^\d{1,9}-\d{8,15}\.ndjson$/.test(name))) return;
  const others = names.some((name) => name.endsWith(".ndjson"));
  throw new CommandError(
    others
      ? `the files in "${text}" are not named like those of a decision log; pass the files themselves, such as "${text}/*.ndjson"`
      : `the folder "${text}" has no records`,
  );
}

/**
 * The files of records that a bulk job has written.
 *
 * @returns `undefined` for a folder of anything else
 * @throws CommandError for a job that has not finished, or that wrote no records
 */
async function jobRecordFiles(folder: string, text: string): Promise<readonly string[] | undefined> {
  const manifest = await readFile(join(folder, "manifest.json"), "utf8").then(parsed, () => undefined);
  const parts: unknown = isJsonObject(manifest) ? manifest["parts"] : undefined;
  if (!isJsonObject(manifest) || !Array.isArray(parts)) return undefined;
  if (manifest["emit"] !== "record")
    throw new CommandError(`the job in "${text}" has no records; run it with --emit record`);
  if (manifest["state"] !== "finished") throw new CommandError(`the job in "${text}" has not finished`);
  const names = parts.map((part: unknown) => (isJsonObject(part) ? part["file"] : undefined));
  return names.filter((name) => typeof name === "string").map((name) => join(folder, name));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface OpenRecords {
  readonly log: DecisionLog;
  /** Where they are, for what a log does not do itself. */
  readonly store: RecordStore;
}

export interface OpenRecordsOptions {
  /** Keys of subjects, to find and erase persons. @default none */
  readonly keys?: readonly string[] | undefined;
  /** Whether payloads are to be erased, which single files don't allow. @default false */
  readonly erases?: boolean | undefined;
}

/**
 * Opens records for as long as something is done with them.
 *
 * @param places - folders of a decision log or of a bulk job, NDJSON files, `-` for standard input, and URLs of PostgreSQL
 * @returns what `use` returns
 * @throws CommandError for a place that does not exist or cannot be read
 */
export async function withRecords<Value>(
  places: readonly string[],
  io: CommandIo,
  options: OpenRecordsOptions,
  use: (records: OpenRecords, progress: Progress) => Promise<Value>,
): Promise<Value> {
  const opened: Opened = { stores: [], ends: [] };
  const progress = new Progress(io);
  try {
    await openPlaces(places, io, options.erases ?? false, opened);
    const { decisionLog } = await import("@decern/decision-log");
    const store = joinedStore(opened.stores);
    const { keys = [] } = options;
    const log = decisionLog({
      store,
      subject: keys.length === 0 ? undefined : { key: keys, of: {} },
      logger: { error: () => {} },
    });
    return await use({ log, store }, progress).finally(() => log.close());
  } catch (error) {
    throw readable(error);
  } finally {
    progress.end();
    for (const end of opened.ends) await end();
  }
}

interface Opened {
  readonly stores: RecordStore[];
  readonly ends: (() => void | Promise<void>)[];
}

async function openPlaces(
  places: readonly string[],
  io: CommandIo,
  erases: boolean,
  { stores, ends }: Opened,
): Promise<void> {
  const { ndjsonFiles, recordFiles } = await import("@decern/decision-log");
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const text of new Set(places)) {
    const place = await recordPlace(text, io.cwd);
    const ofJob = place.kind === "folder" ? await jobRecordFiles(place.path, text) : undefined;
    if (erases && (place.kind === "file" || place.kind === "input" || ofJob !== undefined)) {
      throw new CommandError(
        `nothing can be erased in "${text}": pass the folder or the database of the log itself`,
      );
    }
    if (ofJob !== undefined) {
      for (const file of ofJob) files.add(file);
    } else if (place.kind === "folder") {
      // Written in another way, it is the same folder.
      if (folders.has(place.path)) continue;
      folders.add(place.path);
      await requireLogFolder(place.path, text);
      stores.push(ndjsonFiles(place.path));
    } else if (place.kind === "file") {
      files.add(place.path);
    } else if (place.kind === "input") {
      const { path, remove } = await spool(io.stdin, io.signal);
      ends.push(remove);
      files.add(path);
    } else {
      const { openDatabase } = await import("./open-database.js");
      const { store, end } = await openDatabase(place.url);
      ends.push(end);
      stores.push(store);
    }
  }
  if (files.size > 0) stores.push(recordFiles([...files]));
}

/** An error of the file system or the database in one sentence. */
function readable(error: unknown): unknown {
  if (error instanceof CommandError || !(error instanceof Error)) return error;
  // Several addresses were tried, and the error of each is inside.
  const [first]: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const cause = first instanceof Error ? first : error;
  const isSystemError = "syscall" in cause || ("severity" in cause && "routine" in cause);
  return isSystemError
    ? new CommandError(`the records cannot be read: ${cause.message}`, { cause: error })
    : error;
}
