import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** A constant reply body: plain and compressed, each with a strong entity tag. */
export interface Body {
  readonly contentType: string;
  readonly plain: Variant;
  readonly gzip: Variant;
}

interface Variant {
  readonly content: Buffer;
  readonly etag: string;
}

/** Compresses and tags a body once, for all replies. */
export function createBody(content: string | Buffer, contentType: string): Body {
  const plain = Buffer.from(content);
  return { contentType, plain: tagged(plain), gzip: tagged(gzipSync(plain, { level: 9 })) };
}

function tagged(content: Buffer): Variant {
  return { content, etag: `"${createHash("sha256").update(content).digest("base64url")}"` };
}

/** Whether a client accepts gzip, by name or by wildcard, with a weight above 0. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  let wildcard = false;
  for (const part of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [coding, ...parameters] = part.split(";").map((piece) => piece.trim());
    const wanted = !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (coding === "gzip") return wanted;
    if (coding === "*") wildcard = wanted;
  }
  return wildcard;
}
