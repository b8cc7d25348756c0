import { expandsTooFar } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";

type Properties = Readonly<Record<string, unknown>>;

/** The person or thing that wants access. */
export interface Subject {
  readonly type: string;
  readonly id: string;
  readonly properties?: Properties;
}

/** What they want to do. */
export interface Action {
  readonly name: string;
  readonly properties?: Properties;
}

/** What they want to do it to. */
export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly properties?: Properties;
}

/** What a policy enforcement point asks: may this subject do this to this resource? */
export interface AccessRequest {
  readonly subject: Subject;
  readonly action: Action;
  readonly resource: Resource;
  /** Of the environment, such as the time. */
  readonly context?: Properties;
}

/** A problem with a request, told to its sender. It never quotes what was sent. */
export class RequestProblem {
  readonly message: string;
  readonly status: 400 | 413;

  constructor(message: string, status: 400 | 413 = 400) {
    this.message = message;
    this.status = status;
  }
}

/** Reads a request as the specification has it. Members that the specification does not know are ignored. */
export function readAccessRequest(body: unknown): AccessRequest | RequestProblem {
  if (!isJsonObject(body)) return new RequestProblem("The request must be a JSON object");
  const subject = readTyped(body, "subject");
  if (subject instanceof RequestProblem) return subject;
  const action = readAction(body);
  if (action instanceof RequestProblem) return action;
  const resource = readTyped(body, "resource");
  if (resource instanceof RequestProblem) return resource;
  const context = own(body, "context");
  if (context === undefined) return { subject, action, resource };
  if (!isJsonObject(context)) return new RequestProblem("context must be an object");
  return { subject, action, resource, context };
}

function readTyped(body: Properties, name: "subject" | "resource"): Subject | RequestProblem {
  const entity = own(body, name);
  if (!isJsonObject(entity)) return new RequestProblem(missing(name, entity, "an object"));
  const type = own(entity, "type");
  if (typeof type !== "string") return new RequestProblem(missing(`${name}.type`, type, "a string"));
  const id = own(entity, "id");
  if (typeof id !== "string") return new RequestProblem(missing(`${name}.id`, id, "a string"));
  const properties = own(entity, "properties");
  if (properties === undefined) return { type, id };
  return isJsonObject(properties)
    ? { type, id, properties }
    : new RequestProblem(`${name}.properties must be an object`);
}

function readAction(body: Properties): Action | RequestProblem {
  const action = own(body, "action");
  if (!isJsonObject(action)) return new RequestProblem(missing("action", action, "an object"));
  const name = own(action, "name");
  if (typeof name !== "string") return new RequestProblem(missing("action.name", name, "a string"));
  const properties = own(action, "properties");
  if (properties === undefined) return { name };
  return isJsonObject(properties)
    ? { name, properties }
    : new RequestProblem("action.properties must be an object");
}

function missing(path: string, found: unknown, kind: string): string {
  return found === undefined ? `${path} is missing` : `${path} must be ${kind}`;
}

/** A member that JSON brought, never one that objects inherit. */
function own(object: Properties, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** When the evaluation of several requests ends. */
export const semantics = ["execute_all", "deny_on_first_deny", "permit_on_first_permit"] as const;

type Semantic = (typeof semantics)[number];

/** Several requests in one. A problem with one of them does not affect the others. */
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
  if (!isJsonObject(body)) return new RequestProblem("The request must be a JSON object");
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
      "The evaluations are too large with their defaults; ask for fewer at a time",
      413,
    );
  return { semantic, requests };
}

function readSemantic(options: unknown): Semantic | RequestProblem {
  if (options === undefined) return "execute_all";
  if (!isJsonObject(options)) return new RequestProblem("options must be an object");
  const given = own(options, "evaluations_semantic");
  if (given === undefined) return "execute_all";
  const known = semantics.find((semantic) => semantic === given);
  return known ?? new RequestProblem(`options.evaluations_semantic must be one of ${semantics.join(", ")}`);
}

function readItem(
  defaults: Readonly<Record<string, unknown>>,
  item: unknown,
): AccessRequest | RequestProblem {
  if (!isJsonObject(item)) return new RequestProblem("Each of the evaluations must be an object");
  // An entity of the item replaces the default one as a whole. Merged, an incomplete one could be permitted.
  const entityOf = (name: keyof AccessRequest) => own(Object.hasOwn(item, name) ? item : defaults, name);
  return readAccessRequest({
    subject: entityOf("subject"),
    action: entityOf("action"),
    resource: entityOf("resource"),
    context: entityOf("context"),
  });
}
