import { randomBytes } from "node:crypto";
import type { ScannedInput } from "../formats/input-format.js";
import type { InputIdentity, Manifest } from "../manifest/manifest.js";
import type { PartJob } from "../part/part-job.js";
import { partName } from "../part/part-name.js";
import type { JobNow } from "./changes.js";

const defaultPartBytes = 8 * 1024 * 1024;
const defaultMaxLine = 1024 * 1024;

/** The size of parts of a job that begins or goes on. */
export function partBytesOf(former: Manifest | undefined, job: JobNow): number {
  return former?.partBytes ?? job.partBytes ?? defaultPartBytes;
}

/** The manifest of a job that begins. */
export function firstManifest(
  { format, emit, key, revision, now, partBytes, maxLine }: JobNow,
  { identity, parts, details }: ScannedInput & { readonly identity: InputIdentity },
  hasSecret: boolean,
): Manifest {
  return {
    formatVersion: 1,
    state: "running",
    input: identity,
    format,
    ...(details === undefined ? {} : { details }),
    revision,
    now: now ?? new Date().toISOString(),
    emit,
    ...(key === undefined ? {} : { key }),
    partBytes: partBytes ?? defaultPartBytes,
    maxLine: maxLine ?? defaultMaxLine,
    ...(hasSecret ? { secret: randomBytes(32).toString("hex") } : {}),
    parts: parts.map((part, index) => ({ file: partName(index, emit), ...part })),
  };
}

/** What makers of parts need to know. */
export function partJobOf(manifest: Manifest, input: string, output: string): PartJob {
  const { format, details, emit, key, revision, maxLine, now, secret = "" } = manifest;
  return {
    input,
    output,
    format,
    details,
    emit,
    key,
    epochMs: Date.parse(now),
    build: revision.build,
    maxLine,
    secret: Buffer.from(secret, "hex"),
  };
}
