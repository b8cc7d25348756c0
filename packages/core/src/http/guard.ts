import { type Awaitable, ignoreRejection, isThenable } from "../base/awaitable.js";
import { DecernError, errorBody, tableReply } from "../base/errors.js";
import { isJsonObject, type JsonSchema } from "../base/json-schema.js";
import { asThrowable, maskedError } from "../base/thrown.js";
import type { Decision } from "../decision/decision.js";
import { toJsonSchema } from "../decision/describe.js";
import type { Result } from "../decision/result.js";
import { type GuardedExchange, handOver } from "./exchange.js";
import type { RequestHandler } from "./handler.js";
import type { DecisionReply } from "./reply.js";

/** Names under which an output may say yes or no. */
const verdictNames = ["allowed", "allow", "granted", "permitted", "approved"] as const;

/** How an access check ended. Whatever isn't a clear yes is a no. */
export type AccessVerdict<Output> =
  | { readonly allowed: boolean; readonly reply: DecisionReply<Output>; readonly result: Result<Output> }
  /** For the host's error handling. */
  | {
      readonly allowed: false;
      readonly reply: DecisionReply<Output>;
      readonly result: undefined;
      readonly thrown: unknown;
    };

/** Checks one request. `onDeny` runs when the result is no; its failure is the host's error. */
export type AccessCheck<Request, Output> = (
  request: Request,
  requestId: string,
  onDeny?: ((result: Result<Output>) => unknown) | undefined,
) => Awaitable<AccessVerdict<Output>>;

/**
 * Makes an access check that fails closed: an error, a status but `OK`, an output that does not say yes, an `isDenied` that
 * returns anything but `false`, all deny.
 *
 * @param isDenied - overrides the default, which reads `allowed`, `allow`, `granted`, `permitted` and `approved`
 * @throws DecernError `INVALID_OPTIONS` when the output schema has no such boolean and there is no `isDenied`
 */
export function createAccessCheck<Request, Output>(
  decision: Decision<unknown, Output>,
  handler: Pick<RequestHandler<Request, Output>, "handle">,
  isDenied: ((result: Result<Output>) => boolean) | undefined,
): AccessCheck<Request, Output> {
  if (isDenied === undefined && !hasVerdict(toJsonSchema(decision.outputSchema, "output"))) {
    throw new DecernError("INVALID_OPTIONS", {
      detail: `the output of decision "${decision.id}" has no boolean ${verdictNames.join(", ")}; pass isDenied(result)`,
    });
  }
  const denied = isDenied ?? saysNo;
  return (request, requestId, onDeny) => {
    let allowed = false;
    // As `onResult` it is the host's callback: what it throws is reported once, and denies. `result` is a copy that no
    // other code has, and the decision is settled before `onDeny` sees it.
    const judge = (result: Result<Output>): unknown => {
      const answer: unknown = denied(result);
      ignoreRejection(answer);
      allowed = answer === false;
      return allowed ? undefined : onDeny?.(result);
    };
    const conclude = (reply: DecisionReply<Output>): AccessVerdict<Output> => {
      const { result, hostError, error } = reply;
      if (hostError !== undefined)
        return { allowed: false, reply, result: undefined, thrown: hostError.thrown };
      // Masked: the host's error handling may send what it gets.
      if (result === undefined) return { allowed: false, reply, result, thrown: maskedError(error) };
      return { allowed, reply, result };
    };
    const reply = handler.handle(request, requestId, judge);
    return isThenable(reply) ? reply.then(conclude) : conclude(reply);
  };
}

function saysNo(result: Result): boolean {
  if (result.status !== "OK" || !isJsonObject(result.data)) return true;
  let yes = false;
  for (const name of verdictNames) {
    if (!Object.hasOwn(result.data, name)) continue;
    if (result.data[name] !== true) return true;
    yes = true;
  }
  return !yes;
}

function hasVerdict(schema: JsonSchema, root = schema, depth = 0): boolean {
  if (depth > 8) return false;
  const { properties, $ref } = schema;
  if (isJsonObject(properties)) {
    for (const name of verdictNames) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (
        isJsonObject(property) &&
        (property["type"] === "boolean" || typeof property["const"] === "boolean")
      )
        return true;
    }
  }
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const branches = schema[keyword];
    if (
      Array.isArray(branches) &&
      branches.some((branch) => isJsonObject(branch) && hasVerdict(branch, root, depth + 1))
    ) {
      return true;
    }
  }
  const target = typeof $ref === "string" ? resolveRef(root, $ref) : undefined;
  return target !== undefined && hasVerdict(target, root, depth + 1);
}

function resolveRef(root: JsonSchema, ref: string): JsonSchema | undefined {
  const definitions = root["$defs"] ?? root["definitions"];
  const name = ref.split("/").at(-1) ?? "";
  const target =
    isJsonObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return isJsonObject(target) ? target : undefined;
}

/**
 * Lets a request through when the access check says yes, and replies to it or fails otherwise: what every guard does.
 *
 * @param onDeny - the host's callback, which may reply itself
 */
export function guard<Request, Output>(
  check: AccessCheck<Request, Output>,
  request: Request,
  exchange: GuardedExchange<Output>,
  onDeny?: ((result: Result<Output>) => unknown) | undefined,
): void {
  const fail = (thrown: unknown): void => exchange.fail(asThrowable(thrown), exchange.requestId);
  let verdict: Awaitable<AccessVerdict<Output>>;
  try {
    verdict = check(request, exchange.requestId, (result) => {
      exchange.onDecided(result);
      return onDeny?.(result);
    });
  } catch (thrown) {
    return fail(thrown);
  }
  if (isThenable(verdict)) verdict.then((settled) => act(settled, exchange)).then(undefined, fail);
  else act(verdict, exchange);
}

function act<Output>(verdict: AccessVerdict<Output>, exchange: GuardedExchange<Output>): void {
  const { requestId, headers } = verdict.reply;
  exchange.onDecided(verdict.result);
  if (verdict.result === undefined) {
    handOver(verdict.thrown, requestId, exchange);
  } else if (exchange.hasBegun()) {
    // Other code has replied instead of the handler.
    exchange.leave();
  } else if (verdict.allowed) {
    exchange.pass(requestId, headers);
  } else {
    const denial = tableReply("ACCESS_DENIED");
    exchange.write(denial.status, errorBody(denial), requestId, headers);
  }
}
