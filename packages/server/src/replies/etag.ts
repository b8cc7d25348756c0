import { createHash } from "node:crypto";

/** A strong validator: equal only for equal content. */
export function strongETag(content: string | Buffer): string {
  return `"${createHash("sha256").update(content).digest("base64url")}"`;
}
