import { expandsTooFar } from "@decern/core/host";
import { type AccessRequest, isObject, own, RequestProblem, readAccessRequest } from "./access-request.js";

/** When the evaluation of several requests ends. */
export const semantics = ["execute_all", "deny_on_first_deny", "permit_on_first_permit"] as const;

type Semantic = (typeof semantics)[number];

/** Several requests in one. What is wrong with one of them is no problem of the others. */
export interface Evaluations {
  readonly semantic: Semantic;
  readonly requests: readonly (AccessRequest | RequestProblem)[];
}

/**
 * Reads the body of a request for several evaluations.
 *
 * @param most - how many a body may ask for
 * @returns `undefined` where it asks for a single one, as that endpoint also takes
 */
export function readEvaluations(body: unknown, most: number): Evaluations | RequestProblem | undefined {
  if (!isObject(body)) return new RequestProblem("The request must be a JSON object");
  const items = own(body, "evaluations");
  if (items === undefined) return undefined;
  if (!Array.isArray(items)) return new RequestProblem("evaluations must be a list");
  if (items.length === 0) return undefined;
  if (items.length > most) return new RequestProblem(`evaluations must have at most ${most} entries`);
  const semantic = readSemantic(own(body, "options"));
  if (semantic instanceof RequestProblem) return semantic;
  const requests = items.map((item: unknown) => readItem(body, item));
  if (expandsTooFar(body, requests))
    return new RequestProblem(
      "The evaluations are too large with their defaults; ask for fewer at once",
      413,
    );
  return { semantic, requests };
}

function readSemantic(options: unknown): Semantic | RequestProblem {
  if (options === undefined) return "execute_all";
  if (!isObject(options)) return new RequestProblem("options must be an object");
  const given = own(options, "evaluations_semantic");
  if (given === undefined) return "execute_all";
  const known = semantics.find((semantic) => semantic === given);
  return known ?? new RequestProblem(`options.evaluations_semantic must be one of ${semantics.join(", ")}`);
}

function readItem(
  defaults: Readonly<Record<string, unknown>>,
  item: unknown,
): AccessRequest | RequestProblem {
  if (!isObject(item)) return new RequestProblem("Each of the evaluations must be an object");
  // An entity of the item replaces the default one as a whole. Merged, an incomplete one could be permitted.
  const entityOf = (name: keyof AccessRequest) => own(Object.hasOwn(item, name) ? item : defaults, name);
  return readAccessRequest({
    subject: entityOf("subject"),
    action: entityOf("action"),
    resource: entityOf("resource"),
    context: entityOf("context"),
  });
}
