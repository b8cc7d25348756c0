import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject } from "@decern/core/schema";
import { CommandError } from "../command-line/command.js";

/**
 * The files of records that a bulk job has written.
 *
 * @returns `undefined` for a folder of anything else
 * @throws CommandError for a job that has not finished, or that wrote no records
 */
export async function jobRecordFiles(folder: string, text: string): Promise<readonly string[] | undefined> {
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
