import { randomBytes } from "node:crypto";
import { DecernError, type Problem } from "@decern/core";
import { isSameJson } from "@decern/core/tools";
import type { ScannedInput } from "../formats/input-format.js";
import type { InputIdentity, Manifest } from "../manifest/manifest.js";
import { type PartJob, partName } from "../parts/part-file.js";

const defaultPartBytes = 8 * 1024 * 1024;
const defaultMaxLine = 1024 * 1024;

/** The size of parts of a job that begins or continues. */
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

/** The settings of a job now; `undefined` keeps the former one. */
export type JobNow = { readonly [Name in "format" | "emit" | "revision"]: Manifest[Name] } & {
  readonly [Name in "key" | "now" | "partBytes" | "maxLine"]: Manifest[Name] | undefined;
};

const whatDiffers = {
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
  for (const name of ["format", "emit", "now", "partBytes", "maxLine"] as const) {
    const value = job[name];
    if (value === undefined || value === manifest[name]) continue;
    problems.push({
      path: `/${name}`,
      message: `${whatDiffers[name]} was ${manifest[name]} and is now ${value}`,
    });
  }
  // Without the option, results have no key.
  if (job.key !== manifest.key) {
    const message = `the key was ${manifest.key ?? "absent"} and is now ${job.key ?? "absent"}`;
    problems.push({ path: "/key", message });
  }
  problems.push(...revisionChanges(manifest.revision, job.revision));
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

function revisionChanges(former: Manifest["revision"], now: Manifest["revision"]): readonly Problem[] {
  if (isSameJson(former, now)) return [];
  const problems: Problem[] = [];
  const compare = (path: string, what: string, one: string | undefined, other: string | undefined): void => {
    if (one === other) return;
    problems.push({
      path: `/revision/${path}`,
      message: `${what} was ${one ?? "absent"} and is now ${other ?? "absent"}`,
    });
  };
  compare("decision/id", "the decision", former.decision.id, now.decision.id);
  compare("decision/version", "the version", former.decision.version, now.decision.version);
  compare("build", "the build", former.build, now.build);
  compare("profileHash", "the hash of the profile", former.profileHash, now.profileHash);
  compare(
    "fingerprint",
    "the fingerprint of rules, schemas and used decisions",
    former.fingerprint,
    now.fingerprint,
  );
  return problems;
}

function jobChanged(problems: readonly Problem[]): DecernError {
  return new DecernError("JOB_CHANGED", { detail: "use another output folder", problems });
}
