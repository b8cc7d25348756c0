import { type Awaitable, ignoreRejection, isThenable, withDeadline } from "../awaitable.js";
import { ownError, readable } from "../copies/readable.js";
import type { Decision } from "../definition/decision.js";
import { DecernError } from "../errors.js";
import type { EvaluationCall, Outcome, Runner, Wanted } from "../evaluation/runner.js";
import type { Told } from "../hooks/hook-context.js";
import type { Result } from "../program/result.js";
import { errorBody, RESULT_HTTP_STATUS } from "./outcome-table.js";

/** What a host writes as its reply. */
export interface DecisionReply<Output = unknown> {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** To be sent as `x-request-id`. */
  readonly requestId: string;
  /** Absent on a fault. */
  readonly result: Result<Output> | undefined;
  /** The fault; absent where there is a result. */
  readonly error: DecernError | undefined;
  /** Set when the host's own callback failed: to be given to the host's error handling instead of being sent. */
  readonly hostError: { readonly thrown: unknown } | undefined;
}

/**
 * Evaluates one call and says what to reply. It never throws.
 *
 * @param wanted - `text and copy` where a host's callbacks get the result
 */
export function handleCall<Output>(
  runner: Runner,
  decision: Decision<unknown, Output>,
  call: EvaluationCall,
  requestId: string,
  wanted: Exclude<Wanted, "result"> = "text",
): Awaitable<DecisionReply<Output>> {
  // Field by field: a spread costs as much as the evaluation.
  const { input, profile, profileFrom } = call;
  const outcome = runner.run(decision, { input, profile, profileFrom, requestId }, wanted);
  return isThenable(outcome)
    ? outcome.then((settled) => toReply(settled, requestId))
    : toReply(outcome, requestId);
}

function toReply<Output>(outcome: Outcome<Output>, requestId: string): DecisionReply<Output> {
  const id = outcome.requestId ?? requestId;
  if (outcome.error === undefined) {
    const { result, text } = outcome;
    return {
      status: RESULT_HTTP_STATUS[result.status],
      body: text,
      requestId: id,
      result,
      error: undefined,
      hostError: undefined,
    };
  }
  const { error, reply } = outcome;
  const isHosts = error.code === "INVALID_HOST_PROFILE" || error.code === "INTERNAL_ERROR";
  const hostError = isHosts
    ? { thrown: error.cause === undefined ? withoutDetail(error) : error.cause }
    : undefined;
  return {
    status: reply.status,
    body: errorBody(reply),
    requestId: id,
    result: undefined,
    error,
    hostError,
  };
}

/** How a host's request becomes a call. */
export interface RequestReader<Request> {
  /** The decision's input. */
  readonly input: (request: Request) => unknown;
  /** The profile of this request; absent where the decision's default profile serves. */
  readonly profile?: ((request: Request) => unknown) | undefined;
}

/** A host-neutral request handler: each adapter adds only how to read a request and how to write a reply. */
export type RequestHandler<Request, Output> = (
  request: Request,
  requestId: string,
  /** Runs before the reply; its failure is the host's fault. */
  onResult?: ((result: Result<Output>) => unknown) | undefined,
) => Awaitable<DecisionReply<Output>>;

/** Makes the handler of one decision. Nothing is awaited where nothing is asynchronous. */
export function createRequestHandler<Request, Output>(
  runner: Runner,
  decision: Decision<unknown, Output>,
  reader: RequestReader<Request>,
): RequestHandler<Request, Output> {
  const within = <T>(name: string, work: () => Awaitable<T>): Promise<T> =>
    withDeadline(work, runner.hookTimeoutMs, () => {
      return new DecernError("HOOK_TIMEOUT", {
        detail: `${name} did not settle within ${runner.hookTimeoutMs} ms`,
      });
    });

  const failed = async (
    requestId: string,
    input: unknown,
    thrown: unknown,
  ): Promise<DecisionReply<Output>> => {
    const outcome = await runner.fail(decision, { input, requestId }, thrown);
    return { ...toReply(outcome, requestId), hostError: { thrown: withoutDetail(thrown) } };
  };

  const finish = (
    reply: DecisionReply<Output>,
    input: unknown,
    onResult: (result: Result<Output>) => unknown,
  ): Awaitable<DecisionReply<Output>> => {
    const { result, requestId } = reply;
    if (result === undefined) return reply;
    // Read before the callback, which may write to its result.
    const epochMs = Date.parse(result.meta.evaluatedAt);
    // Evaluated and counted already: told to the log and `onError`, and not counted again.
    const failedAfter = async (thrown: unknown): Promise<DecisionReply<Output>> => {
      const told: Told = { decisionId: decision.id, input, profile: undefined, requestId, epochMs };
      await runner.report(told, thrown);
      return { ...reply, hostError: { thrown: withoutDetail(thrown) } };
    };
    let answer: unknown;
    try {
      answer = onResult(result);
      if (!isThenable(answer)) return reply;
    } catch (thrown) {
      return failedAfter(thrown);
    }
    return within("onResult or onDeny", () => answer).then(() => reply, failedAfter);
  };

  return (request, requestId, onResult) => {
    let input: unknown;
    let profile: unknown;
    let known: unknown;
    let isLater: boolean;
    try {
      input = reader.input(request);
      isLater = isThenable(input);
      known = isLater ? undefined : input;
      profile = reader.profile?.(request);
      isLater ||= isThenable(profile);
    } catch (thrown) {
      ignoreRejection(input);
      return failed(requestId, known, thrown);
    }
    const evaluated = (input: unknown, profile: unknown): Awaitable<DecisionReply<Output>> => {
      const profileFrom = reader.profile === undefined ? "caller" : "host";
      const call = {
        input,
        profile: reader.profile !== undefined && profile === undefined ? {} : profile,
        profileFrom,
      } as const;
      const wanted = onResult === undefined ? "text" : "text and copy";
      const reply = handleCall(runner, decision, call, requestId, wanted);
      if (onResult === undefined) return reply;
      return isThenable(reply)
        ? reply.then((settled) => finish(settled, input, onResult))
        : finish(reply, input, onResult);
    };
    if (!isLater) return evaluated(input, profile);
    return within("inputMapper or profileResolver", () => Promise.all([input, profile])).then(
      ([input, profile]) => evaluated(input, profile),
      (thrown: unknown) => failed(requestId, known, thrown),
    );
  };
}

/** Our own error's message may leave with the host's error handling: its detail stays in the cause. */
function withoutDetail(thrown: unknown): unknown {
  const error = readable(thrown);
  const mine = ownError(error);
  if (mine === undefined) return error;
  return new DecernError(mine.code, { statusCode: mine.statusCode, cause: mine });
}
