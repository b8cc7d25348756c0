import { DecernError, type FacadeCall, type FacadeHost, type FacadeRequest, type Result } from "@decern/core";
import { type DecisionReply, toErrorReply } from "@decern/core/host";
import { type Flag, readFlag, readOutput } from "./flag.js";
import type { EvaluatedFlag, FlagErrorCode } from "./flag-answer.js";
import type { EvaluationContext, FlagDefinition } from "./options.js";

/** A call, and the flag once it has been decided. */
interface FlagCall extends FacadeCall {
  flag: Flag | undefined;
}

/** Evaluates one flag. It never throws. */
export type FlagEvaluator = (context: EvaluationContext, request: FacadeRequest) => Promise<EvaluatedFlag>;

/** Makes the evaluator of one flag in one host. */
export function createFlagEvaluator(
  host: FacadeHost,
  { key, decision, toInput, toFlag, noMatch }: FlagDefinition,
): FlagEvaluator {
  const evaluator = host.handlerOf(decision);
  const read = toFlag === undefined ? readOutput : (data: unknown) => readFlag(toFlag(data));
  return async (context, request) => {
    const call: FlagCall = { request, input: () => toInput(context), flag: undefined };
    // As the host's callback, so that an output that is no flag is logged, and given to `onError`.
    const reply = await evaluator.handle(call, request.requestId, (result) => {
      if (result.status === "OK") call.flag = read(result.data);
      if (result.status === "NO_MATCH") call.flag = noMatch;
    });
    return { ...answerOf(key, reply, call, context), headers: reply.headers };
  };
}

function answerOf(
  key: string,
  { result, error, hostError }: DecisionReply,
  { flag }: FlagCall,
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
