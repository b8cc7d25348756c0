import { readFileSync } from "node:fs";
import { isJsonObject } from "@decern/core/schema";

/** Name of the service, as `GET /` returns it. */
export const serviceName = "decern";

/** This package's version, read from its manifest so the two cannot differ. */
export const serviceVersion = readVersion();

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return isJsonObject(manifest) && typeof manifest["version"] === "string" ? manifest["version"] : "unknown";
}
