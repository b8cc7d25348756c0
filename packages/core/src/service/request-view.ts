import { copyData, deepFreeze } from "../base/copy.js";
import { DecernError } from "../base/errors.js";
import { ignoreRejection } from "../base/time.js";

/** How the version of a call was chosen: the host's default, the version in the path, the host's `select`, or as a shadow. */
export type SelectedBy = "default" | "path" | "select" | "shadow";

/**
 * What hooks, `profileResolver` and `select` see of the request that asked. Reading it never changes the request.
 *
 * @typeParam Caller - what `authenticate` returns for admitted callers
 */
export interface RequestView<Caller extends Identity = Identity> {
  readonly method: string;
  /**
   * Without the query string, and decoded once, as routers decode it; only `%2F` and `%25` stay. To decide what a caller may
   * use, read the version that a hook receives instead.
   */
  readonly path: string;
  /** Names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The address of the caller, as the framework's proxy settings see it. */
  readonly ip: string | undefined;
  /** What `authenticate` returned, where it returned an identity. */
  readonly identity: Caller | undefined;
}

/** The caller, as `authenticate` returns it. Other properties, such as a tenant, are the host's own. */
export interface Identity {
  readonly caller: string;
  readonly [property: string]: unknown;
}

/** The caller and the request. */
export interface Origin {
  /** Absent without a caller. */
  readonly caller: string | undefined;
  readonly request: RequestView | undefined;
  /** W3C Trace Context, as the request has it. */
  readonly traceparent?: string | undefined;
}

export const unknownOrigin: Origin = { caller: undefined, request: undefined };

/** Header values as Node gives them. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads a framework's request. */
export interface RequestAccess<Request> {
  readonly method: (request: Request) => string;
  /** The target that the framework routes, as the caller escaped it. It may have a query string. */
  readonly url: (request: Request) => string;
  readonly headers: (request: Request) => Headers;
  readonly ip: (request: Request) => string | undefined;
  /** @default a host that knows the caller's name only */
  readonly identity?: ((request: Request) => Identity | undefined) | undefined;
}

/** The scheme and host of an absolute target, and everything after the path. Routers ignore them too. */
const besidesPath = /^https?:\/\/[^/?#]*|[?#].*$/gis;

const escapes = /(?:%[\da-f]{2})+/gi;

/**
 * A view of a framework's request. It reads the request when somebody asks for a property, because most evaluations ask for
 * none, and keeps what it read. All that watch an evaluation get the same view, so it is frozen. Its properties are
 * inherited, so that a log of a context has no headers, which may carry keys.
 */
class HostRequestView<Request> implements RequestView {
  readonly #request: Request;
  readonly #access: RequestAccess<Request>;
  #headers: Headers | undefined;
  #ip: { readonly value: string | undefined } | undefined;

  constructor(request: Request, access: RequestAccess<Request>) {
    this.#request = request;
    this.#access = access;
    Object.freeze(this);
  }

  get method(): string {
    return this.#access.method(this.#request);
  }

  get path(): string {
    return this.#access.url(this.#request).replace(besidesPath, "").replace(escapes, decodeOnce);
  }

  get headers(): Headers {
    this.#headers ??= copyHeaders(this.#access.headers(this.#request));
    return this.#headers;
  }

  get ip(): string | undefined {
    // Kept: a socket forgets its address when it closes.
    this.#ip ??= { value: this.#access.ip(this.#request) };
    return this.#ip.value;
  }

  get identity(): Identity | undefined {
    return this.#access.identity?.(this.#request);
  }
}

/** `%2F` and `%25` stay: decoded, they would look like an end of a segment, and like another escape. */
function decodeOnce(escaped: string): string {
  try {
    return decodeURIComponent(escaped.replace(/%(2f|25)/gi, (_, code: string) => `%25${code.toUpperCase()}`));
  } catch {
    // No text in UTF-8: routers refuse it.
    return escaped;
  }
}

function copyHeaders(headers: Headers): Headers {
  const copy = Object.entries(headers).map(
    ([name, value]) => [name, Array.isArray(value) ? Object.freeze([...value]) : value] as const,
  );
  return Object.freeze(Object.fromEntries(copy));
}

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** Tells whether a text may be a request id: 1 to 128 of `A-Z a-z 0-9 . _ -`. */
export function isRequestId(text: string): boolean {
  return requestIdPattern.test(text);
}

/** Keeps the first of some headers, such as a caller's `x-request-id`, that is a valid id, else makes a fresh UUID. */
export function requestIdFrom(...headers: readonly unknown[]): string {
  for (const header of headers) if (typeof header === "string" && isRequestId(header)) return header;
  return crypto.randomUUID();
}

/** W3C Trace Context: version, trace id, parent id and flags. Version `ff` is invalid, and only versions after `00` may say more. */
const traceparentPattern =
  /^(?!ff|00-.{53})[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-[!-~]{1,200})?$/;

/** Whether a value is a `traceparent` of W3C Trace Context. */
export function isTraceparent(value: unknown): value is string {
  return typeof value === "string" && traceparentPattern.test(value);
}

/**
 * Makes the function that returns the caller and the request.
 *
 * @param caller - the host's callback. What it throws, and a result that names no caller and is not `undefined`, is the host's
 *   error.
 */
export function createOriginReader<Request>(
  access: RequestAccess<Request>,
  caller: ((request: Request) => unknown) | undefined,
): (request: Request) => Origin & { readonly request: RequestView } {
  return (request) => {
    const { traceparent } = access.headers(request);
    return {
      caller: caller === undefined ? undefined : nameOf(caller(request)),
      request: new HostRequestView(request, access),
      traceparent: isTraceparent(traceparent) ? traceparent : undefined,
    };
  };
}

function nameOf(named: unknown): string | undefined {
  // No record, header or label holds half a character, so a caller with one could not be found again, or be distinguished from others.
  if (named === undefined || (typeof named === "string" && named !== "" && !/\p{Surrogate}/u.test(named)))
    return named;
  // An asynchronous callback must not end the process.
  ignoreRejection(named);
  const detail =
    "caller must return a non-empty string without lone surrogates, or undefined for an unknown caller";
  throw new DecernError("INTERNAL_ERROR", { detail });
}

/**
 * Reads an identity that a host's `authenticate` returned. It is read once, into a frozen copy that isn't shared: the caller
 * that was checked is the caller that is used. Class instances and functions in it stay the host's own.
 *
 * @returns `undefined` for what names no caller
 * @throws DecernError `INTERNAL_ERROR` for an object that names one in a way that a copy would lose
 */
export function readIdentity(answer: unknown): Identity | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const members: { readonly caller?: unknown } = { ...answer };
  const caller: unknown = Object.hasOwn(members, "caller") ? members.caller : Reflect.get(answer, "caller");
  if (typeof caller !== "string" || caller === "") return undefined;
  const lost = membersLost(answer);
  if (lost.length > 0) {
    const detail = `authenticate returned an object whose ${lost.join(", ")} would be lost in a copy: inherited, or not enumerable. Return a plain object, such as { caller: user.name }`;
    throw new DecernError("INTERNAL_ERROR", { detail });
  }
  const foreign = new Set<object>();
  const identity = copyData<Identity>({ ...members, caller }, (value) => {
    foreign.add(value);
    return value;
  });
  deepFreeze(identity, foreign);
  return identity;
}

/** What can be read of an object and is not in a spread of it. Methods are no data. */
function membersLost(value: object): readonly string[] {
  const lost: string[] = [];
  let owner = value;
  for (;;) {
    for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      const isCopied = owner === value && member.enumerable === true;
      if (!isCopied && typeof member.value !== "function") lost.push(name);
    }
    const parent: unknown = Object.getPrototypeOf(owner);
    // What all objects inherit isn't part of an identity.
    if (typeof parent !== "object" || parent === null || Object.getPrototypeOf(parent) === null) return lost;
    owner = parent;
  }
}
