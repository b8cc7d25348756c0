import { createHash, timingSafeEqual } from "node:crypto";
import { type Awaitable, DecernError } from "@decern/core";
import { checkOptions, isThenable, type OptionKind, type OptionTable, optionKinds } from "@decern/core/host";
import type { Authenticate } from "./authenticate.js";

/** The options of {@link apiKeys}. */
export interface ApiKeysOptions {
  /** The valid keys. A function is called on every request, so keys can be rotated without a restart; cache what it reads. */
  readonly keys: readonly string[] | (() => Awaitable<readonly string[]>);
  /** The header that carries the key. @default "x-api-key" */
  readonly header?: string | undefined;
}

const headerName: OptionKind = (value, path) =>
  typeof value === "string" && /^[a-z0-9-]+$/i.test(value)
    ? []
    : [{ path, message: "must be the name of a header" }];

/** An empty key would let in callers that send none. */
const keyList = optionKinds.listOf(optionKinds.nonEmptyText, { nonEmpty: true });

const kinds: OptionTable<ApiKeysOptions> = {
  keys: (value, path) => (typeof value === "function" ? [] : keyList(value, path)),
  header: headerName,
};

/**
 * Makes an `authenticate` that requires an API key. Every comparison takes constant time and covers all keys, so timing
 * reveals neither a key nor which one matched.
 *
 * @returns the `authenticate` option of `createServer`, with its description for the OpenAPI document
 * @throws DecernError `INVALID_OPTIONS` for no keys, an empty key, or an invalid header name
 *
 * @example
 * ```ts
 * import { apiKeys, createServer } from "@decern/server";
 *
 * createServer({ decisions: [], authenticate: apiKeys({ keys: ["current-key", "previous-key"] }) });
 * ```
 */
export function apiKeys(options: ApiKeysOptions): Authenticate {
  checkOptions("apiKeys", options, { kinds, required: ["keys"] });
  const { keys } = options;
  const header = (options.header ?? "x-api-key").toLowerCase();
  const digests = typeof keys === "function" ? undefined : digestAll(keys);
  const authenticate = (request: {
    readonly headers: Readonly<Record<string, unknown>>;
  }): Awaitable<boolean> => {
    const sent = request.headers[header];
    const given = digest(typeof sent === "string" ? sent : "");
    if (typeof keys !== "function") return matchesAny(given, digests ?? []);
    const current = keys();
    return isThenable(current)
      ? Promise.resolve(current).then((list) => matchesAny(given, digestAll(list)))
      : matchesAny(given, digestAll(current));
  };
  return Object.assign(authenticate, {
    security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: header } },
    challenge: `ApiKey realm="decern", header="${header}"`,
  });
}

function matchesAny(given: Buffer, good: readonly Buffer[]): boolean {
  let matches = false;
  for (const digest of good) {
    if (timingSafeEqual(given, digest)) matches = true;
  }
  return matches;
}

/** Digests have the same length, which `timingSafeEqual` requires. */
function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** @throws DecernError `INVALID_OPTIONS` if a function did not return a list of keys */
function digestAll(keys: readonly string[]): readonly Buffer[] {
  const problems = keyList(keys, "/keys");
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "apiKeys", problems });
  return keys.map(digest);
}
