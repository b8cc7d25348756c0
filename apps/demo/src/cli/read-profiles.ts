import { readFileSync } from "node:fs";
import { isJsonObject } from "@decern/core/schema";
import { UsageError } from "./usage-error.js";

/**
 * Reads a file of profiles. What the profiles hold is checked by the server, against their schemas.
 *
 * @throws UsageError when there is no such file, or it is no JSON object
 */
export function readProfiles(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`Cannot read the profiles file ${file}: ${reason(error)}`, { cause: error });
  }
  let profiles: unknown;
  try {
    profiles = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The profiles file ${file} is not valid JSON: ${reason(error)}`, { cause: error });
  }
  if (!isJsonObject(profiles)) {
    throw new UsageError(`The profiles file ${file} has to hold one JSON object: profiles by decision id`);
  }
  return profiles;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "permission denied";
  if (code === "EISDIR") return "it is a folder";
  return error.message;
}
