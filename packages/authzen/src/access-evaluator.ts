import {
  type Awaitable,
  DecernError,
  type Decision,
  type FeatureHost,
  type FeatureRequest,
  type Reply,
  type Result,
} from "@decern/core";
import { allows, toErrorReply, verdictProblems } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import { type AccessRequest, type Evaluations, RequestProblem } from "./access-request.js";

type Context = Readonly<Record<string, unknown>>;

/** The response to one access request. */
export type AccessOutcome = Decided | Failed;

interface Decided {
  readonly decision: boolean;
  readonly context: Context | undefined;
  readonly failure: undefined;
  /** Of the evaluation, such as the id of its record. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** Nothing was decided, which is never a yes. */
interface Failed {
  readonly decision: false;
  readonly failure: { readonly status: number; readonly message: string };
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** How requests become calls, and results responses. */
interface EvaluatorOptions {
  readonly evaluation: Decision;
  readonly toInput: (request: AccessRequest) => unknown;
  readonly isDenied: ((result: Result) => boolean) | undefined;
  readonly toContext: ((result: Result) => unknown) | undefined;
}

/** Evaluates one access request. It never throws. */
type AccessEvaluator = (access: AccessRequest, request: FeatureRequest) => Promise<AccessOutcome>;

/** Makes the evaluator of a host. @throws DecernError `INVALID_OPTIONS` where nothing tells a yes from a no */
export function createAccessEvaluator(
  host: FeatureHost,
  { evaluation, toInput, isDenied, toContext = describeResult }: EvaluatorOptions,
): AccessEvaluator {
  const problems = verdictProblems(evaluation, isDenied);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "authzen", problems });
  return async (access, request) => {
    let allowed = false;
    let context: Context | undefined;
    // As the host's callback, so that a context that cannot be made is reported, and denies.
    const judge = (result: Result): void => {
      context = contextOf(toContext(result));
      allowed = allows(result, isDenied);
    };
    const reply = await host.evaluate(request, evaluation, () => toInput(access), judge);
    return outcomeOf(reply, allowed, context);
  };
}

function outcomeOf(
  { result, error, hostError, headers }: Reply,
  allowed: boolean,
  context: Context | undefined,
): AccessOutcome {
  if (result === undefined || hostError !== undefined) {
    // Without an error of the evaluation it was a callback that failed, after it.
    const { status, message } = toErrorReply(error);
    return { decision: false, failure: { status, message }, headers };
  }
  if (result.status === "INVALID_INPUT")
    return { decision: false, failure: { status: 400, message: result.message }, headers };
  if (result.status === "INVALID_PROFILE") {
    // No caller of this protocol brings a profile, so that it is the host's.
    const { status, message } = toErrorReply(new DecernError("INVALID_HOST_PROFILE"));
    return { decision: false, failure: { status, message }, headers };
  }
  return { decision: allowed, context, failure: undefined, headers };
}

function contextOf(given: unknown): Context | undefined {
  if (given === undefined || isJsonObject(given)) return given;
  throw new DecernError("INTERNAL_ERROR", { detail: "toContext must return an object, or undefined" });
}

function describeResult({ meta }: Result): Context {
  const rule = "matchedRule" in meta ? { rule: meta.matchedRule } : {};
  const version =
    "decisionVersion" in meta ? { version: meta.decisionVersion, reason: meta.explanation } : {};
  return { decision: meta.decisionId, ...version, ...rule };
}

/** Evaluates several requests, in order, until the semantic says that the result is known. */
export function evaluateAll(
  host: FeatureHost,
  { semantic, requests }: Evaluations,
  evaluate: AccessEvaluator,
  request: FeatureRequest,
): Promise<readonly AccessOutcome[]> {
  const one = (access: AccessRequest | RequestProblem): Awaitable<AccessOutcome> =>
    access instanceof RequestProblem ? refused(access) : evaluate(access, request);
  return host.evaluateAll(request, requests, one, isLast[semantic]);
}

const isLast = {
  execute_all: undefined,
  deny_on_first_deny: ({ decision }: AccessOutcome) => !decision,
  permit_on_first_permit: ({ decision }: AccessOutcome) => decision,
} as const;

function refused({ message }: RequestProblem): AccessOutcome {
  return { decision: false, failure: { status: 400, message }, headers: undefined };
}
