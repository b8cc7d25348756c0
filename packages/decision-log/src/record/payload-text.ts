import type { RecordedEvaluation, UsedEvaluation } from "@decern/core";
import { toErrorReply } from "@decern/core/host";
import { canonicalJson, program } from "@decern/core/tools";
import { quote } from "../text/plain-json.js";
import type { KeptTexts } from "./kept-texts.js";
import type { Masks } from "./masks.js";
import type { KeptDocument } from "./record-store.js";

/** The canonical text of a payload, around its salt. */
export class PayloadText {
  /** Members whose names sort before `salt`, without commas at the ends. */
  readonly before: string;
  /** Members after it. */
  readonly after: string;

  constructor(before: string, after: string) {
    this.before = before;
    this.after = after;
  }
}

export interface PayloadContext {
  readonly masks: Masks;
  readonly texts: KeptTexts;
  /** Receives what the decisions used are named by. */
  readonly kept: KeptDocument[];
  readonly writesProfile: boolean;
}

/**
 * The payload of an evaluation, or `undefined` if something has to be removed from it.
 *
 * @param input - @default that of the evaluation
 */
export function payloadText(
  { decision, input: given, profile, result, error, used }: RecordedEvaluation,
  context: PayloadContext,
  input: unknown = given,
): PayloadText | undefined {
  // Built without a trailing comma: cutting it off would copy the text.
  let before = error === undefined ? "" : `"error":${errorText(error)}`;
  if (input !== undefined) {
    const text = canonicalJson(input);
    if (text === undefined) return undefined;
    before += before === "" ? `"input":${text}` : `,"input":${text}`;
  }
  if (context.writesProfile) {
    const text = canonicalJson(profile);
    if (text === undefined) return undefined;
    before += before === "" ? `"profile":${text}` : `,"profile":${text}`;
  }
  if (result !== undefined) {
    const text = decision[program].canonicalText(result);
    if (text === undefined) return undefined;
    before += before === "" ? `"result":${text}` : `,"result":${text}`;
  }
  if (used.length === 0) return new PayloadText(before, "");
  const list = usedText(used, context);
  return list === undefined ? undefined : new PayloadText(before, `"used":${list}`);
}

function errorText(error: unknown): string {
  const { code, message } = toErrorReply(error);
  return `{"code":${quote(code)},"message":${quote(message)}}`;
}

function usedText(used: readonly UsedEvaluation[], context: PayloadContext): string | undefined {
  let text = "[";
  for (const one of used) {
    const { id, version } = one.decision;
    const result = one.decision[program].canonicalText(one.result);
    const own = one.used.length === 0 ? "" : usedText(one.used, context);
    if (result === undefined || own === undefined) return undefined;
    const { profileHash, contentHash } = keepUsed(one, context);
    const content = contentHash === undefined ? "" : `"contentHash":${quote(contentHash)},`;
    const rest = own === "" ? "" : `"used":${own},`;
    text += `${text === "[" ? "" : ","}{${content}"id":${quote(id)},"profileHash":"${profileHash}","result":${result},${rest}"version":${quote(version)}}`;
  }
  return `${text}]`;
}

/** Keeps the documents that a decision used is named by. @returns their hashes */
export function keepUsed(
  { decision, profile }: UsedEvaluation,
  { texts, kept }: PayloadContext,
): { readonly profileHash: string; readonly contentHash: string | undefined } {
  const content = texts.content(decision);
  const keptProfile = texts.profile(profile);
  kept.push(keptProfile);
  if (content !== undefined) kept.push(content);
  return { profileHash: keptProfile.hash, contentHash: content?.hash };
}
