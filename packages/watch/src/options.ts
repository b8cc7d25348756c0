import { type Kind, kinds, type OptionRule, oneAtMost, option } from "@decern/core/options";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import type { WakeSource } from "./place.js";

const leastMs = 100;

const interval: Kind<number> = (value, path) => {
  const problems = kinds.wholeNumber(value, path);
  if (problems.length > 0 || Number(value) >= leastMs) return problems;
  return [{ path, message: `must be at least ${leastMs}` }];
};

const headers: Kind<Readonly<Record<string, string>>> = (value, path) => {
  if (!isJsonObject(value)) return kinds.object()(value, path);
  return Object.entries(value).flatMap(([header, text]) => {
    const below = `${path}/${escapePointer(header)}`;
    if (typeof text !== "string") return [{ path: below, message: "must be a string" }];
    // Its message would repeat the header, which may be a secret.
    return isHeader(header, text) ? [] : [{ path: below, message: "is not a valid HTTP header" }];
  });
};

function isHeader(header: string, text: string): boolean {
  try {
    new Headers([[header, text]]);
    return true;
  } catch {
    return false;
  }
}

const url: Kind<string | URL> = (value, path) => {
  const parsed = toUrl(value);
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    return [{ path, message: "must be an absolute URL with http or https" }];
  }
  if (parsed.username === "" && parsed.password === "") return [];
  return [{ path, message: "must have no credentials; give them in headers" }];
};

function toUrl(value: unknown): URL | undefined {
  if (value instanceof URL) return value;
  return typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
}

/** Places that profiles and decisions are loaded from. */
export const placeRows = {
  /** `http` or `https`, without redirects. `If-None-Match` is sent for an `ETag` */
  url: option(url),
  /** Sent to `url`. */
  headers: option(headers),
};

export const timeRows = {
  /** Pause between loads, in milliseconds, at least 100. @default 5000 */
  everyMs: option(interval, 5000),
  /** Limit for a load, in milliseconds. @default 5000 */
  timeoutMs: option(kinds.wholeNumber, 5000),
  /**
   * `(load) => stop`: calls `load` to load immediately.
   *
   * Called once for each host. A change that it misses is found by the next load. `stop` is called when the host closes.
   */
  wake: option(kinds.callback<WakeSource>()),
};

const headersWithUrl: OptionRule = (values) =>
  values["headers"] !== undefined && values["url"] === undefined
    ? [{ path: "/headers", message: "belongs to url, which is not given" }]
    : [];

/** Exactly one place. */
export function placeRules(...names: readonly string[]): readonly OptionRule[] {
  const oneAtLeast: OptionRule = (values) =>
    names.some((name) => values[name] !== undefined)
      ? []
      : [{ path: "", message: `one of ${names.join(", ")} is required` }];
  return [oneAtMost(...names), oneAtLeast, headersWithUrl];
}

/** One of the places, with what belongs to it, and none of the others. */
export type From<Places, Place extends keyof Places, Belonging extends keyof Places = never> = {
  // `Pick` keeps the TSDoc of the rows.
  readonly [Name in keyof Pick<Places, Place>]-?: NonNullable<Places[Name]>;
} & Pick<Places, Belonging> & { readonly [Name in Exclude<keyof Places, Place | Belonging>]?: undefined };
