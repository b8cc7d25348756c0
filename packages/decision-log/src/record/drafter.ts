import type { Decision, RecordedEvaluation } from "@decern/core";
import { quote } from "../text/plain-json.js";
import { maskedPayload } from "./masked-payload.js";
import type { Masks } from "./masks.js";
import { KeptTexts, type PayloadText, payloadText } from "./payload-text.js";
import type { KeptDocument } from "./record-store.js";
import type { SubjectOf, Subjects } from "./subjects.js";

/**
 * A record whose hashes are still to be computed. Its content is fixed. Objects of a record that waits are instances of classes:
 * once many literals of one place have lived long, such as while a store opens, V8 puts all that follow among the old objects, and
 * each scavenge keeps their texts.
 */
export class Draft {
  readonly recordedAtMs: number;
  readonly beforeHash: string;
  readonly beforePayload: string;
  readonly afterPrevious: string;
  /** `undefined` for a record without a payload. */
  readonly payload: PayloadText | undefined;
  /** What the record names only by hash. */
  readonly kept: readonly KeptDocument[];
  /** Length of a caller's profile that earlier records do not name, in characters. */
  readonly addedLength: number;

  constructor(parts: Draft) {
    this.recordedAtMs = parts.recordedAtMs;
    this.beforeHash = parts.beforeHash;
    this.beforePayload = parts.beforePayload;
    this.afterPrevious = parts.afterPrevious;
    this.payload = parts.payload;
    this.kept = parts.kept;
    this.addedLength = parts.addedLength;
  }
}

interface DecisionPlan {
  /** The members `contentHash` and `decision`. */
  readonly decisionText: string;
  /** The member `matchedRule`, by id of the rule. */
  readonly ruleTexts: ReadonlyMap<string, string>;
}

class DecisionPlans {
  readonly #plans = new WeakMap<Decision, DecisionPlan>();

  of(decision: Decision): DecisionPlan {
    const known = this.#plans.get(decision);
    if (known !== undefined) return known;
    const { id, version, ruleIds, contentHash } = decision;
    const contentText = contentHash === undefined ? "" : `"contentHash":${quote(contentHash)},`;
    const plan: DecisionPlan = {
      decisionText: `${contentText}"decision":{"id":${quote(id)},"version":${quote(version)}},`,
      ruleTexts: new Map(ruleIds.map((ruleId) => [ruleId, `"matchedRule":${quote(ruleId)},`])),
    };
    this.#plans.set(decision, plan);
    return plan;
  }
}

/** One list for all records in a row that name the same documents. */
class LastNamed {
  #profile: KeptDocument | undefined;
  #content: KeptDocument | undefined;
  #list: readonly KeptDocument[] = [];

  of(profile: KeptDocument | undefined, content: KeptDocument | undefined): readonly KeptDocument[] {
    if (profile === this.#profile && content === this.#content) return this.#list;
    this.#profile = profile;
    this.#content = content;
    this.#list = [profile, content].filter((document) => document !== undefined);
    return this.#list;
  }
}

export interface DrafterOptions {
  readonly build: string | undefined;
  readonly masks: Masks;
  readonly subjects: Subjects | undefined;
  /** By id of the decision. */
  readonly subjectOf: ReadonlyMap<string, SubjectOf>;
  readonly onWithoutPayload: (decisionId: string, what: "mask" | "subject") => void;
}

const nothingMasked: readonly string[] = [];
const allMasked: readonly string[] = [""];
const profileMasked: readonly string[] = ["/profile"];

/** Shorter profiles are repeated in each payload: the rest of a record is about as long. */
const mostRepeated = 1000;

export class Drafter {
  readonly #options: DrafterOptions;
  readonly #buildText: string;
  readonly #plans = new DecisionPlans();
  readonly #texts = new KeptTexts();
  readonly #named = new LastNamed();
  #lastKeptApart: KeptDocument | undefined = undefined;

  constructor(options: DrafterOptions) {
    this.#options = options;
    this.#buildText = options.build === undefined ? "" : `"build":${quote(options.build)},`;
  }

  draft(recordId: string, sampleRate: number, evaluation: RecordedEvaluation): Draft {
    const { decision, result, requestId, caller, traceparent } = evaluation;
    const plan = this.#plans.of(decision);
    const profile = this.#texts.profile(evaluation.profile);
    const isKeptApart = this.#isKeptApart(evaluation, profile);
    const namesProfile = isKeptApart || !evaluation.hasOwnProfile;
    const named = this.#named.of(namesProfile ? profile : undefined, this.#texts.content(decision));
    const written = this.#write(evaluation, isKeptApart);
    const subject = written.subject;
    const matchedRule = result?.status === "OK" ? result.meta.matchedRule : undefined;
    const recordedAtMs = Number.isFinite(evaluation.epochMs) ? evaluation.epochMs : Date.now();
    const recordedAt = result?.meta.evaluatedAt ?? new Date(recordedAtMs).toISOString();
    const status = result?.status ?? "ERROR";
    const callerText = caller === undefined ? "" : `"caller":${quote(caller)},`;
    const masked = written.masked.length === 0 ? "" : written.masked.map(quote).join();
    const rule = matchedRule === undefined ? "" : (plan.ruleTexts.get(matchedRule) ?? "");
    const decisionRevision = evaluation.profiles?.decisionRevision;
    const profileRevision = evaluation.profiles?.profileRevision;
    const ofDecisions =
      decisionRevision === undefined ? "" : `"decisionRevision":${quote(decisionRevision)},`;
    const ofProfiles = profileRevision === undefined ? "" : `"profileRevision":${quote(profileRevision)},`;
    const shadowText = evaluation.shadowOf === undefined ? "" : `"shadowOf":"${evaluation.shadowOf}",`;
    const subjectText = subject === undefined ? "" : `,"subject":"${subject}"`;
    const traceText = traceparent === undefined ? "" : `,"traceparent":${quote(traceparent)}`;
    return new Draft({
      recordedAtMs,
      beforeHash:
        `{${this.#buildText}${callerText}${plan.decisionText}${ofDecisions}` +
        `"durationSeconds":${seconds(evaluation.durationSeconds)},`,
      beforePayload: `"masked":[${masked}],${rule}`,
      afterPrevious:
        `"profileHash":"${profile.hash}",${ofProfiles}"recordId":"${recordId}","recordVersion":1,"recordedAt":"${recordedAt}",` +
        `"requestId":${quote(requestId)},"sampleRate":${sampleRate},"selectedBy":"${evaluation.selectedBy}",` +
        `${shadowText}"status":"${status}"${subjectText}${traceText}}`,
      payload: written.payload,
      kept: written.kept.length === 0 ? named : [...named, ...written.kept],
      addedLength: isKeptApart ? this.#lengthOf(profile) : 0,
    });
  }

  /**
   * Whether a caller's profile is written once for all records of its request. Not where a mask or an erasure has to find what it
   * removes in the payload.
   */
  #isKeptApart({ decision, sharesProfile }: RecordedEvaluation, { text }: KeptDocument): boolean {
    const { masks, subjectOf } = this.#options;
    return (
      sharesProfile === true &&
      text.length > mostRepeated &&
      !masks.touch(decision) &&
      !subjectOf.has(decision.id)
    );
  }

  /** The records of a request mostly follow one another. */
  #lengthOf(profile: KeptDocument): number {
    if (profile === this.#lastKeptApart) return 0;
    this.#lastKeptApart = profile;
    return profile.text.length;
  }

  /** Writes the payload first: the host's `subject` callback may change the input. */
  #write(evaluation: RecordedEvaluation, isKeptApart: boolean): WrittenPayload {
    const { masks, onWithoutPayload } = this.#options;
    const { decision } = evaluation;
    const kept: KeptDocument[] = [];
    let payload: PayloadText | undefined;
    let masked = isKeptApart ? profileMasked : nothingMasked;
    try {
      const context = {
        masks,
        texts: this.#texts,
        kept,
        writesProfile: evaluation.hasOwnProfile && !isKeptApart,
      };
      if (!masks.touch(decision)) payload = payloadText(evaluation, context);
      if (payload === undefined) {
        kept.length = 0;
        const removed = maskedPayload(evaluation, context);
        payload = removed.payload;
        masked = isKeptApart ? [...profileMasked, ...removed.masked].sort() : removed.masked;
      }
    } catch {
      onWithoutPayload(decision.id, "mask");
      payload = undefined;
      masked = allMasked;
    }
    try {
      return { payload, kept, masked, subject: this.#subject(evaluation) };
    } catch {
      onWithoutPayload(decision.id, "subject");
      return { payload: undefined, kept, masked: allMasked, subject: undefined };
    }
  }

  /** @throws for a value that names no person */
  #subject({ decision, input }: RecordedEvaluation): string | undefined {
    const { subjects, subjectOf } = this.#options;
    const person = subjectOf.get(decision.id)?.(input);
    if (person === undefined || subjects === undefined) return undefined;
    if (typeof person !== "string" || person === "") throw new TypeError("not a text");
    return subjects.write(person);
  }
}

interface WrittenPayload {
  readonly payload: PayloadText | undefined;
  /** What the decisions used are named by. */
  readonly kept: readonly KeptDocument[];
  readonly masked: readonly string[];
  readonly subject: string | undefined;
}

/** Rounded to nanoseconds. A host's clock may return anything. */
function seconds(duration: number): string {
  return Number.isFinite(duration) ? `${Math.round(duration * 1e9) / 1e9 + 0}` : "0";
}
