import type { Decision } from "../decision/decision.js";
import type { Identity, RequestView } from "./request-view.js";

/** One call, for choosing the version that evaluates it. */
export interface VersionCall<Caller extends Identity = Identity> {
  /** A copy of what the caller sent, not validated yet. */
  readonly input: unknown;
  readonly caller: string | undefined;
  /** Absent in process. */
  readonly request: RequestView<Caller> | undefined;
}

/** Announces that a version will go away. */
export interface Deprecation {
  /** From when on it is deprecated: a date, or text such as `2027-01-31`. */
  readonly since: Date | string;
  /** When you will retire it. It is only announced: list the version in `retired` yourself. */
  readonly sunset?: Date | string | undefined;
  /** A page about it. */
  readonly link?: string | undefined;
}

/**
 * Which versions of one id are served, and which one evaluates a call that names none.
 *
 * @typeParam Version - those that are listed
 */
export interface VersionPolicy<Version extends string = string, Caller extends Identity = Identity> {
  readonly default: Version;
  /**
   * Chooses the version of one call, for gradual roll-outs. Synchronous; `undefined` means the default. {@link stableBucket}
   * gives each caller a fixed number.
   */
  readonly select?: ((call: VersionCall<Caller>) => string | undefined) | undefined;
  /** By version. */
  readonly deprecated?: Readonly<Record<string, Deprecation>> | undefined;
  /** Versions whose paths return 410. Their decisions need not be listed any more. */
  readonly retired?: readonly string[] | undefined;
}

/** The listed versions of an id. */
export type VersionOf<Decisions extends readonly Decision[], Id> = Extract<
  Decisions[number],
  { readonly id: Id }
>["version"];

/** Version policies by decision id. Without `as`, so that the parameter of an inline `select` has its type. */
export type VersionsOf<Decisions extends readonly Decision[], Caller extends Identity = Identity> = {
  readonly [Id in Decisions[number]["id"]]?: VersionPolicy<VersionOf<Decisions, Id>, Caller> | undefined;
};

const encoder = new TextEncoder();

/**
 * Returns a number from 0 to below 1 for a key, evenly distributed: always the same for a key and a salt, and unrelated to that of
 * any other salt. Raising a limit from 0.1 to 0.2 keeps every key that was below 0.1.
 *
 * @param key - who or what gets one version throughout, such as a customer's id
 * @param salt - the name of the roll-out, so that each one begins with other keys
 *
 * @example
 * ```ts
 * versions: {
 *   "loan-approval": {
 *     default: "1.2.0",
 *     select: ({ caller }) => (caller && stableBucket(caller, "loan-approval 2.0.0") < 0.1 ? "2.0.0" : undefined),
 *   },
 * }
 * ```
 */
export function stableBucket(key: string, salt: string): number {
  // With the length, no two pairs of salt and key make the same text. MurmurHash3, 32 bits.
  const bytes = encoder.encode(`${salt.length}:${salt}${key}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hash = 0;
  let offset = 0;
  for (; offset + 4 <= bytes.length; offset += 4) {
    hash ^= scramble(view.getUint32(offset, true));
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  let rest = 0;
  for (let index = bytes.length - 1; index >= offset; index -= 1) rest = (rest << 8) | view.getUint8(index);
  hash ^= scramble(rest);
  return finish(hash ^ bytes.length) / 0x1_0000_0000;
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The headers that announce a deprecation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` (RFC 8288). */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Readonly<Record<string, string>> {
  return {
    deprecation: `@${Math.floor(new Date(since).getTime() / 1000)}`,
    ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
    ...(link === undefined ? {} : { link: `<${link}>; rel="deprecation"` }),
  };
}
