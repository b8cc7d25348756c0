import { createHash, timingSafeEqual } from "node:crypto";
import { type Awaitable, DecernError, type Identity } from "@decern/core";
import { checkedOptions, type Kind, kinds, option, type RowsOf, requiredOption } from "@decern/core/options";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { isThenable } from "@decern/core/tools";
import type { Authenticate } from "./authenticate.js";

/** The valid keys: a list, or for each caller a key or several. */
type Keys = readonly string[] | Readonly<Record<string, string | readonly string[]>>;

/** The options of {@link apiKeys}. */
export interface ApiKeysOptions {
  /**
   * The valid keys. With an object, such as `{ "web-shop": ["current-key", "previous-key"] }`, each request has a caller. A
   * function is called on every request, so keys can be rotated without a restart; cache what it reads.
   */
  readonly keys: Keys | (() => Awaitable<Keys>);
  /** The header that carries the key. @default "x-api-key" */
  readonly header?: string | undefined;
}

/** An empty key would admit callers that send none. */
const keyList = kinds.listOf(kinds.nonEmptyText, { nonEmpty: true });

const keysKind: Kind<Keys> = (value, path) => {
  if (Array.isArray(value) || !isJsonObject(value)) return keyList(value, path);
  const callers = Object.entries(value);
  if (callers.length === 0) return [{ path, message: "must have a key for at least one caller" }];
  const owners = new Map<unknown, string>();
  return callers.flatMap(([caller, own]) => {
    const place = `${path}/${escapePointer(caller)}`;
    if (caller === "") return [{ path: place, message: "must have a name for the caller" }];
    const problems = typeof own === "string" ? kinds.nonEmptyText(own, place) : keyList(own, place);
    const list: readonly unknown[] = Array.isArray(own) ? own : [own];
    for (const key of list) {
      const owner = owners.get(key);
      // One of the two would never be recognised.
      if (owner !== undefined && owner !== caller)
        return [...problems, { path: place, message: `has a key that "${owner}" has too` }];
      owners.set(key, caller);
    }
    return problems;
  });
};

const keysOrCallback: Kind<ApiKeysOptions["keys"]> = (value, path) =>
  typeof value === "function" ? [] : keysKind(value, path);

const rows = {
  keys: requiredOption(keysOrCallback),
  header: option(kinds.matching(/^[a-z0-9-]+$/i, "must be a valid header name"), "x-api-key"),
} satisfies RowsOf<ApiKeysOptions>;

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
  const { keys, header: given } = checkedOptions("apiKeys", options, rows);
  const header = given.toLowerCase();
  const known = typeof keys === "function" ? [] : digestAll(keys);
  const authenticate = (request: {
    readonly headers: Readonly<Record<string, unknown>>;
  }): Awaitable<boolean | Identity> => {
    const sent = request.headers[header];
    const given = digest(typeof sent === "string" ? sent : "");
    if (typeof keys !== "function") return findOwner(given, known);
    const current = keys();
    return isThenable(current)
      ? Promise.resolve(current).then((list) => findOwner(given, digestAll(list)))
      : findOwner(given, digestAll(current));
  };
  return Object.assign(authenticate, {
    security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: header } },
    challenge: `ApiKey realm="decern", header="${header}"`,
  });
}

/** A valid key, and what `authenticate` returns for it. */
interface KnownKey {
  readonly digest: Buffer;
  readonly owner: true | Identity;
}

/** Compares with every key, whether or not one matched before. */
function findOwner(given: Buffer, known: readonly KnownKey[]): boolean | Identity {
  let found: boolean | Identity = false;
  for (const { digest, owner } of known) {
    if (timingSafeEqual(given, digest)) found = owner;
  }
  return found;
}

/** Digests have the same length, which `timingSafeEqual` requires. */
function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** @throws DecernError `INVALID_OPTIONS` if a function did not return keys */
function digestAll(keys: Keys): readonly KnownKey[] {
  const problems = keysKind(keys, "/keys");
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "apiKeys", problems });
  if (isKeyList(keys)) return keys.map((key) => ({ digest: digest(key), owner: true }));
  return Object.entries(keys).flatMap(([caller, own]) => {
    const list = typeof own === "string" ? [own] : own;
    return list.map((key) => ({ digest: digest(key), owner: { caller } }));
  });
}

function isKeyList(keys: Keys): keys is readonly string[] {
  return Array.isArray(keys);
}
