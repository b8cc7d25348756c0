import type { Identity, RequestView } from "../hooks/request-view.js";

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
 * none, and keeps what it read. Everybody who watches an evaluation gets the same view, so it is frozen. Its properties are
 * inherited, so that a log of a context has no headers, which may carry keys.
 */
export class HostRequestView<Request> implements RequestView {
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
