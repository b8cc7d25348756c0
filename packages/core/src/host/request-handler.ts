import { type Awaitable, isThenable } from "../awaitable.js";
import type { Decision } from "../definition/decision.js";
import type { EvaluationPipeline } from "../evaluation/evaluation-pipeline.js";
import { createCallHandler, type RequestHandler } from "./call-handler.js";
import { type CallOrigin, type ChosenCall, unknownOrigin } from "./chosen-call.js";

/** How a request becomes a call of one decision. */
export interface RequestReader<Request> {
  readonly input: (request: Request) => unknown;
  /** Who asks. @default nobody was asked */
  readonly origin?: ((request: Request) => CallOrigin) | undefined;
  /** The host's profile for this request. Absent where the decision's default profile serves. */
  readonly profile?: ((request: Request) => unknown) | undefined;
}

/** Makes the handler of a host that evaluates one decision, the same for every call. */
export function createRequestHandler<Request, Output>(
  pipeline: EvaluationPipeline,
  decision: Decision<unknown, Output>,
  { input, origin = () => unknownOrigin, profile }: RequestReader<Request>,
): RequestHandler<Request, Output> {
  const rest = { decision, profiles: undefined, headers: undefined, shadow: undefined } as const;
  const standard: ChosenCall<Output> = { ...rest, profile: undefined, profileFrom: "caller" };
  // A resolver that returns nothing means `{}`, not the default.
  const resolved = (value: unknown): ChosenCall<Output> => ({
    ...rest,
    profile: value === undefined ? {} : value,
    profileFrom: "host",
  });
  const choose = (request: Request): Awaitable<ChosenCall<Output>> => {
    if (profile === undefined) return standard;
    const value = profile(request);
    return isThenable(value) ? Promise.resolve(value).then(resolved) : resolved(value);
  };
  return createCallHandler(pipeline, decision, { input, origin, choose, ignoresInput: true });
}
