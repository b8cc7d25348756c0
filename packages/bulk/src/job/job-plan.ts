import { randomBytes } from "node:crypto";
import { DecernError, type Problem } from "@decern/core";
import type { ScannedInput } from "../formats/input-format.js";
import type { InputIdentity, Manifest } from "../parts/manifest.js";
import { type PartJob, partName } from "../parts/part-maker.js";

const defaultPartBytes = 8 * 1024 * 1024;
const defaultMaxLine = 1024 * 1024;

/** The current settings of a job; `undefined` keeps the former ones. */
export type JobNow = { readonly [Name in "format" | "emit" | "revision"]: Manifest[Name] } & {
  readonly [Name in "key" | "now" | "partBytes" | "maxLine"]: Manifest[Name] | undefined;
};

export function partBytesOf(former: Manifest | undefined, job: JobNow): number {
  return former?.partBytes ?? job.partBytes ?? defaultPartBytes;
}

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

export function partJobOf(manifest: Manifest, input: string, output: string): PartJob {
  const { format, details, emit, key, maxLine, now, secret = "" } = manifest;
  const { build } = manifest.revision;
  const epochMs = Date.parse(now);
  return {
    input,
    output,
    format,
    details,
    emit,
    key,
    epochMs,
    build,
    maxLine,
    secret: Buffer.from(secret, "hex"),
  };
}

const settings = {
  format: "the input format",
  emit: "the output form",
  now: "the evaluation time",
  partBytes: "the part size",
  maxLine: "the maximum line length",
} as const;

/**
 * Refuses to continue a job that has changed.
 *
 * @throws DecernError `JOB_CHANGED` with everything that has changed
 */
export function refuseChanges(manifest: Manifest, job: JobNow): void {
  const problems: Problem[] = [];
  const compare = (path: string, what: string, former: unknown, now: unknown): void => {
    if (former === now) return;
    problems.push({ path, message: `${what} was ${former ?? "absent"} and is now ${now ?? "absent"}` });
  };
  for (const name of ["format", "emit", "now", "partBytes", "maxLine"] as const)
    compare(`/${name}`, settings[name], manifest[name], job[name] ?? manifest[name]);
  // Results have no key without the option.
  compare("/key", "the key", manifest.key, job.key);
  const [former, now] = [manifest.revision, job.revision];
  compare("/revision/decision/id", "the decision", former.decision.id, now.decision.id);
  compare("/revision/decision/version", "the version", former.decision.version, now.decision.version);
  compare("/revision/build", "the build", former.build, now.build);
  compare("/revision/profileHash", "the hash of the profile", former.profileHash, now.profileHash);
  const what = "the fingerprint of rules, schemas and used decisions";
  compare("/revision/fingerprint", what, former.fingerprint, now.fingerprint);
  if (problems.length > 0) throw jobChanged(problems);
}

/** @throws DecernError `JOB_CHANGED` */
export function refuseOtherInput(manifest: Manifest, { size, sha256 }: Manifest["input"]): void {
  const { input } = manifest;
  if (input.size !== size)
    throw jobChanged([{ path: "/input", message: `the input had ${input.size} bytes and now has ${size}` }]);
  if (input.sha256 !== sha256)
    throw jobChanged([{ path: "/input", message: "the input has the same size but different content" }]);
}

function jobChanged(problems: readonly Problem[]): DecernError {
  return new DecernError("JOB_CHANGED", { detail: "use another output folder", problems });
}
