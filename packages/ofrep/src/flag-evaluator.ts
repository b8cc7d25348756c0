import { createHash } from "node:crypto";
import {
  DecernError,
  type FeatureHost,
  type FeatureReply,
  type FeatureRequest,
  type Reply,
  type Result,
} from "@decern/core";
import { matchesETag, toErrorReply } from "@decern/core/host";
import { canonicalForm } from "@decern/core/tools";
import { type EvaluationContext, type Flag, type FlagDefinition, readFlag, readOutput } from "./options.js";

/** Evaluates one flag. It never throws. */
type FlagEvaluator = (context: EvaluationContext, request: FeatureRequest) => Promise<EvaluatedFlag>;

/** Makes the evaluator of one flag in one host. */
export function createFlagEvaluator(
  host: FeatureHost,
  { key, decision, toInput, toFlag, noMatch }: FlagDefinition,
): FlagEvaluator {
  const read = toFlag === undefined ? readOutput : (data: unknown) => readFlag(toFlag(data));
  return async (context, request) => {
    let flag: Flag | undefined;
    // As the host's callback, so that an output that is not a flag is logged, and given to `onError`.
    const decide = (result: Result): void => {
      if (result.status === "OK") flag = read(result.data);
      if (result.status === "NO_MATCH") flag = noMatch;
    };
    const reply = await host.evaluate(request, decision, () => toInput(context), decide);
    return { ...answerOf(key, reply, flag, context), headers: reply.headers };
  };
}

function answerOf(
  key: string,
  { result, error, hostError }: Reply,
  flag: Flag | undefined,
  context: EvaluationContext,
): Omit<EvaluatedFlag, "headers"> {
  const fail = (status: number, errorCode: FlagErrorCode, errorDetails: string) =>
    ({ status, answer: { key, errorCode, errorDetails } }) as const;
  if (result === undefined || hostError !== undefined) {
    const { status, message } = toErrorReply(error);
    return fail(status, "GENERAL", message);
  }
  if (result.status === "INVALID_INPUT") {
    const lacksKey = context.targetingKey === undefined && result.errors.some(isTargetingKey);
    return fail(400, lacksKey ? "TARGETING_KEY_MISSING" : "INVALID_CONTEXT", result.message);
  }
  if (result.status === "INVALID_PROFILE") {
    // No caller of this protocol brings a profile, so that it is the host's.
    const { status, message } = toErrorReply(new DecernError("INVALID_HOST_PROFILE"));
    return fail(status, "GENERAL", message);
  }
  const metadata = { decision: result.meta.decisionId, version: result.meta.decisionVersion };
  if (result.status === "NO_MATCH" || flag?.value === undefined) {
    return { status: 200, answer: { key, ...flag, reason: "UNKNOWN", metadata } };
  }
  const { matchedRule } = result.meta;
  return {
    status: 200,
    answer: {
      key,
      value: flag.value,
      variant: flag.variant ?? matchedRule,
      reason: "TARGETING_MATCH",
      metadata: { ...metadata, rule: matchedRule },
    },
  };
}

function isTargetingKey({ path }: Extract<Result, { readonly errors: unknown }>["errors"][number]): boolean {
  return path === "/targetingKey";
}

/** The reasons that OFREP has and that apply here. It has none for a flag that no rule decides. */
export const reasons = ["TARGETING_MATCH", "UNKNOWN"] as const;

/** The codes of OpenFeature that a service uses. */
export const errorCodes = [
  "FLAG_NOT_FOUND",
  "GENERAL",
  "INVALID_CONTEXT",
  "PARSE_ERROR",
  "TARGETING_KEY_MISSING",
] as const;

export type FlagErrorCode = (typeof errorCodes)[number];

/** The result of one flag, as it is sent. */
type FlagAnswer = FlagSuccess | FlagFailure;

interface FlagSuccess {
  readonly key: string;
  readonly value?: unknown;
  readonly variant?: string | undefined;
  readonly reason: (typeof reasons)[number];
  readonly metadata: Readonly<Record<string, string>>;
}

interface FlagFailure {
  readonly key: string;
  readonly errorCode: FlagErrorCode;
  readonly errorDetails: string;
}

/** A result, and what a reply that has only this one looks like. */
interface EvaluatedFlag {
  readonly status: number;
  readonly answer: FlagAnswer;
  /** Of the evaluation, such as the id of its record. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** Evaluates every flag. A flag that fails has its error in its place. */
export async function answerBulk(
  host: FeatureHost,
  evaluators: readonly FlagEvaluator[],
  context: EvaluationContext,
  request: FeatureRequest,
): Promise<FeatureReply> {
  const evaluated = await host.evaluateAll(request, evaluators, (evaluate) => evaluate(context, request));
  const body = JSON.stringify({ flags: evaluated.map(({ answer }) => answer) });
  // An error may be temporary, so nothing may keep it.
  if (evaluated.some(({ status }) => status >= 500)) return { status: 200, body };
  const etag = etagOf(context, body);
  if (etag === undefined) return { status: 200, body };
  const { "if-none-match": known } = request.headers;
  if (typeof known === "string" && matchesETag(known, etag)) return { status: 304, headers: { etag } };
  return { status: 200, body, headers: { etag } };
}

/**
 * Equal only for the same flags of the same context: a provider keeps what it has, and takes it for those of its context.
 *
 * @returns `undefined` for a context that is nested too deeply to distinguish from others
 */
function etagOf(context: EvaluationContext, body: string): string | undefined {
  const text = canonicalForm(context);
  if (text === undefined) return undefined;
  const hash = createHash("sha256").update(text).update("\n").update(body);
  return `"${hash.digest("base64url")}"`;
}
