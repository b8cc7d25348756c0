import { createHash } from "node:crypto";
import { isJsonObject } from "@decern/core/schema";
import { isManifest } from "./is-manifest.js";
import type { Manifest } from "./manifest.js";

/** A manifest as its file has it. It ends with a hash of itself: a part that somebody deletes from the list would be missed by nobody. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, sha256: hashOf(manifest) }, undefined, 2)}\n`;
}

/** @returns `undefined` for what was cut or edited, or is of another version */
export function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { sha256, ...manifest } = value;
  return isManifest(manifest) && sha256 === hashOf(manifest) ? manifest : undefined;
}

/** Of the JSON text without white space, members in the order of the file. */
function hashOf(manifest: Manifest): string {
  return createHash("sha256").update(JSON.stringify(manifest)).digest("hex");
}
