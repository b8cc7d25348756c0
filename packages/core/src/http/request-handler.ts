import { type Awaitable, isThenable } from "../base/awaitable.js";
import type { Decision } from "../decision/decision.js";
import { type CallOrigin, type Choice, plainChoice, unknownOrigin } from "../service/call.js";
import type { Runner } from "../service/runner.js";
import { createCallHandler, type RequestHandler } from "./handler.js";

/** How a request becomes a call of one decision. */
export interface RequestReader<Request> {
  readonly input: (request: Request) => unknown;
  /** The caller. @default no caller */
  readonly origin?: ((request: Request) => CallOrigin) | undefined;
  /** The host's profile for this request. Absent where the decision's default profile serves. */
  readonly profile?: ((request: Request) => unknown) | undefined;
}

/** Makes the handler of a host that evaluates one decision, the same for every call. */
export function createRequestHandler<Request, Output>(
  runner: Runner,
  decision: Decision<unknown, Output>,
  { input, origin = () => unknownOrigin, profile }: RequestReader<Request>,
): RequestHandler<Request, Output> {
  const standard = plainChoice(decision);
  // A resolver that returns nothing means `{}`, not the default.
  const resolved = (value: unknown): Choice<Output> => ({
    ...standard,
    profile: value === undefined ? {} : value,
    profileFrom: "host",
  });
  const choose = (request: Request): Awaitable<Choice<Output>> => {
    if (profile === undefined) return standard;
    const value = profile(request);
    return isThenable(value) ? Promise.resolve(value).then(resolved) : resolved(value);
  };
  return createCallHandler(runner, decision, { input, origin, choose, ignoresInput: true });
}
