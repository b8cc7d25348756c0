import { hash } from "node:crypto";
import {
  DecernError,
  type Decision,
  type DecisionLog,
  type DecisionRecord,
  type UsedEvaluation,
  type UsedRecord,
} from "@decern/core";
import { kinds } from "@decern/core/options";
import { isJsonObject } from "@decern/core/schema";
import { canonicalForm, isSameOutcome, outcomeOf, withOwnProfile } from "@decern/core/tools";
import type { RecordDetail, RecordedDecision, Reevaluation } from "@decern/pages";
import type { Generation } from "../base/values.js";
import { describeVersion, versionsOf } from "../pages/describe-for-docs.js";
import { evaluateMasked } from "./masked-rerun.js";
import { refusal, refuseUnknown } from "./read-search.js";

/** One record with everything that the page shows. */
export async function describeRecord(
  log: DecisionLog,
  generation: Generation,
  record: DecisionRecord,
): Promise<RecordDetail> {
  const profile = await profileOf(log, record);
  return {
    record: withOwnProfile(record, profile),
    ...(profile === undefined ? {} : { profile }),
    decision: describeDecisionOf(record, generation),
  };
}

/** The profile that a record was made under: the caller's in its payload, or one of the host's. */
async function profileOf(log: DecisionLog, { payload, profileHash }: DecisionRecord): Promise<unknown> {
  return payload !== null && Object.hasOwn(payload, "profile") ? payload.profile : log.profile(profileHash);
}

function describeDecisionOf(
  { decision: { id, version } }: DecisionRecord,
  generation: Generation,
): RecordedDecision | null {
  const served = generation.get(id);
  if (served === undefined) return null;
  const { profiles } = generation;
  const named = [...served.versions.values()].flatMap(({ decision }) => {
    const names = profiles?.namesOf(decision) ?? [];
    return names.length === 0 ? [] : [[decision.version, names] as const];
  });
  const recorded = served.versions.get(version)?.decision;
  return {
    recorded: recorded === undefined ? null : describeVersion(recorded),
    versions: versionsOf(served),
    profileNames: Object.fromEntries(named),
  };
}

/** What a body asks for. */
interface Wanted {
  readonly version: string | undefined;
  readonly profile: { readonly given: unknown } | { readonly named: string } | "host" | "recorded";
}

/**
 * Evaluates the input of a record again, at its own instant and with its own request id.
 *
 * @param body - which version and profile to evaluate with
 * @throws DecernError `RECORD_INCOMPLETE` when the input or the profile is not there any more
 * @throws DecernError `BAD_REQUEST`, `DECISION_NOT_FOUND`, `VERSION_NOT_FOUND`, `VERSION_RETIRED`, `PROFILES_NOT_LOADED`
 */
export async function reevaluateRecord(
  log: DecisionLog,
  generation: Generation,
  found: DecisionRecord,
  body: unknown,
): Promise<Reevaluation> {
  const kept = await profileOf(log, found);
  const record = withOwnProfile(found, kept);
  const wanted = readBody(body);
  const served = findVersion(generation, record, wanted.version);
  const { payload } = record;
  if (payload === null || !Object.hasOwn(payload, "input")) throw new DecernError("RECORD_INCOMPLETE");
  const { profiles } = generation;
  if (profiles === undefined) throw new DecernError("PROFILES_NOT_LOADED");
  let decision = served;
  let profile: unknown;
  if (wanted.profile === "recorded") {
    if (kept === undefined) throw new DecernError("RECORD_INCOMPLETE");
    profile = kept;
  } else if (wanted.profile !== "host") {
    if ("named" in wanted.profile) {
      const bound = profiles.bindNamed(served, wanted.profile.named);
      if (bound === undefined) throw refusal("this version has no profile of that name");
      decision = bound;
    } else {
      profile = wanted.profile.given;
    }
  }
  const call = {
    decision,
    input: payload.input,
    profile,
    profiles,
    epochMs: Date.parse(record.recordedAt),
    requestId: record.requestId,
    caller: record.caller,
  };
  const recorded = generation.get(record.decision.id)?.versions.get(record.decision.version)?.decision;
  const { ended: again, isInconclusive } = evaluateMasked(record, call, recorded);
  const outcome = outcomeOf(decision, again);
  return {
    ...(outcome.error === undefined ? { envelope: outcome.envelope } : { error: outcome.error }),
    used: usedRecords(again.used),
    revision: { version: decision.version, profileHash: hashOf(again.profile) },
    profile: again.profile,
    unchanged: isSameOutcome(outcome, { envelope: payload.result, error: payload.error }),
    ...(isInconclusive
      ? { inconclusive: true as const }
      : record.masked.length > 0
        ? { unread: record.masked.length }
        : {}),
  };
}

const profileFields = ["profile", "profileName", "hostProfile"];

const fields: ReadonlySet<string> = new Set(["version", ...profileFields]);

function readBody(body: unknown): Wanted {
  // An empty body asks for nothing else than what was recorded.
  if (body === undefined) return { version: undefined, profile: "recorded" };
  if (!isJsonObject(body)) throw refusal("the body must be an object");
  refuseUnknown(body, fields);
  const { version, profileName, hostProfile } = body;
  if (version !== undefined && typeof version !== "string") throw refusal("'version' must be a string");
  const choices = profileFields.filter((name) => Object.hasOwn(body, name));
  if (choices.length > 1) throw refusal(`send at most one of ${choices.join(", ")}`);
  if (Object.hasOwn(body, "profile")) {
    // The reply repeats it.
    const [problem] = kinds.json()(body["profile"], "");
    if (problem !== undefined) throw refusal(`'profile' ${problem.message}`);
    return { version, profile: { given: body["profile"] } };
  }
  if (Object.hasOwn(body, "profileName")) {
    if (typeof profileName !== "string") throw refusal("'profileName' must be a string");
    return { version, profile: { named: profileName } };
  }
  if (Object.hasOwn(body, "hostProfile") && hostProfile !== true) throw refusal("'hostProfile' must be true");
  return { version, profile: hostProfile === true ? "host" : "recorded" };
}

function findVersion(
  generation: Generation,
  { decision }: DecisionRecord,
  wanted: string | undefined,
): Decision {
  const target = generation.find(decision.id, wanted ?? decision.version);
  if (typeof target === "string") throw new DecernError(target);
  return (target.pinned ?? target.served.standard).decision;
}

function usedRecords(list: readonly UsedEvaluation[]): readonly UsedRecord[] {
  return list.map(({ decision, profile, result, used }) => ({
    id: decision.id,
    version: decision.version,
    profileHash: hashOf(profile),
    result: outcomeOf(decision, { result, error: undefined }).envelope ?? null,
    ...(used.length === 0 ? {} : { used: usedRecords(used) }),
  }));
}

/** As records have it. */
function hashOf(profile: unknown): string {
  return `sha256:${hash("sha256", canonicalForm(profile) ?? "null")}`;
}
