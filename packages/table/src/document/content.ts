import type { LogicContent } from "@decern/core";
import { canonicalForm } from "@decern/core/tools";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { TableDocument } from "./document.js";

/** The media type of a table as JSON. */
const mediaType = "application/vnd.decern.table+json";

/** What records and logs keep of a table: the canonical document, and its hash. */
export function contentOf(document: TableDocument): LogicContent {
  // Half a character cannot have come out of a file, but out of code.
  const text = canonicalForm(document) ?? JSON.stringify(document);
  return { hash: `sha256:${digestOf(text)}`, mediaType, document };
}

/** By Node itself where it is there: a megabyte takes JavaScript a tenth of the time of loading the table. */
function digestOf(text: string): string {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto");
  return crypto?.createHash("sha256").update(text).digest("hex") ?? bytesToHex(sha256(utf8ToBytes(text)));
}
