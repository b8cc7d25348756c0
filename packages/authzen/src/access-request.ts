type Properties = Readonly<Record<string, unknown>>;

/** Who wants access. */
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
  if (!isObject(body)) return new RequestProblem("The request must be a JSON object");
  const subject = readTyped(body, "subject");
  if (subject instanceof RequestProblem) return subject;
  const action = readAction(body);
  if (action instanceof RequestProblem) return action;
  const resource = readTyped(body, "resource");
  if (resource instanceof RequestProblem) return resource;
  const context = own(body, "context");
  if (context === undefined) return { subject, action, resource };
  if (!isObject(context)) return new RequestProblem("context must be an object");
  return { subject, action, resource, context };
}

function readTyped(body: Properties, name: "subject" | "resource"): Subject | RequestProblem {
  const entity = own(body, name);
  if (!isObject(entity)) return new RequestProblem(missing(name, entity, "an object"));
  const type = own(entity, "type");
  if (typeof type !== "string") return new RequestProblem(missing(`${name}.type`, type, "a string"));
  const id = own(entity, "id");
  if (typeof id !== "string") return new RequestProblem(missing(`${name}.id`, id, "a string"));
  const properties = own(entity, "properties");
  if (properties === undefined) return { type, id };
  return isObject(properties)
    ? { type, id, properties }
    : new RequestProblem(`${name}.properties must be an object`);
}

function readAction(body: Properties): Action | RequestProblem {
  const action = own(body, "action");
  if (!isObject(action)) return new RequestProblem(missing("action", action, "an object"));
  const name = own(action, "name");
  if (typeof name !== "string") return new RequestProblem(missing("action.name", name, "a string"));
  const properties = own(action, "properties");
  if (properties === undefined) return { name };
  return isObject(properties)
    ? { name, properties }
    : new RequestProblem("action.properties must be an object");
}

function missing(path: string, found: unknown, kind: string): string {
  return found === undefined ? `${path} is missing` : `${path} must be ${kind}`;
}

/** A member that JSON brought, never one that objects inherit. */
export function own(object: Properties, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
