import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError } from "../command-line/command.js";
import { databaseUrl } from "./database-url.js";

/** Where records are, as the command line names it. */
export type RecordPlace =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "database"; readonly url: URL }
  | { readonly kind: "input" };

/** @throws CommandError for a place that does not exist */
export async function recordPlace(text: string, cwd: string): Promise<RecordPlace> {
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
