import { DecernError, type Problem } from "../errors.js";
import { optionProblems } from "../options/check-options.js";
import { type OptionKind, type OptionTable, optionKinds } from "../options/option-kinds.js";
import { escapePointer } from "../program/validation.js";
import { isJsonObject } from "../schema/json-schema.js";
import type { LoadProfiles } from "./custom-loader.js";

interface WatchTimes {
  /**
   * How long to wait after a load before the next one, in milliseconds; at least 100.
   * @default 5000
   */
  readonly everyMs?: number | undefined;
  /**
   * How long a load may take, in milliseconds.
   * @default 5000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Makes loads come sooner than `everyMs`, when something tells that there may be a new set. It only wakes: where it misses
   * a change, the next load finds it. Called once for each host, with a function to call at such times.
   *
   * @returns what stops it, if anything; called when the host closes
   */
  readonly wake?: WakeProfiles | undefined;
}

/** Listens for changes, and calls `load` when there may be one. */
export type WakeProfiles = (load: () => void) => (() => unknown) | undefined;

interface WatchFile extends WatchTimes {
  /** Path of a JSON file. A mounted ConfigMap works; one mounted with `subPath` never changes. */
  readonly file: string;
  readonly url?: undefined;
  readonly headers?: undefined;
  readonly load?: undefined;
}

interface WatchUrl extends WatchTimes {
  /** Where to `GET` the JSON. `ETag` and 304 are honoured; redirects are refused. */
  readonly url: string | URL;
  /** Sent with every request, for example `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly file?: undefined;
  readonly load?: undefined;
}

interface WatchLoad extends WatchTimes {
  /** Loads profiles from anywhere else, such as a database. */
  readonly load: LoadProfiles;
  readonly file?: undefined;
  readonly url?: undefined;
  readonly headers?: undefined;
}

/** Where profiles come from, exactly one of `file`, `url` and `load`, and how often they are loaded. */
export type WatchProfilesOptions = WatchFile | WatchUrl | WatchLoad;

const leastMs = 100;

const interval: OptionKind = (value, path) => {
  const problems = optionKinds.wholeNumber(value, path);
  if (problems.length > 0 || Number(value) >= leastMs) return problems;
  return [{ path, message: `must be at least ${leastMs}` }];
};

const headers: OptionKind = (value, path) => {
  if (!isJsonObject(value)) return optionKinds.object(value, path);
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

const url: OptionKind = (value, path) => {
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

const kinds: OptionTable<WatchProfilesOptions> = {
  file: optionKinds.nonEmptyText,
  url,
  headers,
  load: optionKinds.callback,
  everyMs: interval,
  timeoutMs: optionKinds.wholeNumber,
  wake: optionKinds.callback,
};

const sources = ["file", "url", "load"] as const;

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkWatchProfilesOptions(options: WatchProfilesOptions): void {
  const problems = [...optionProblems(options, { kinds, exclusive: [sources] }), ...missingParts(options)];
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "watchProfiles", problems });
}

function missingParts(options: unknown): readonly Problem[] {
  if (!isJsonObject(options)) return [];
  const given = sources.filter((name) => options[name] !== undefined);
  const problems: Problem[] = [];
  if (given.length === 0) problems.push({ path: "", message: `one of ${sources.join(", ")} is required` });
  if (options["headers"] !== undefined && options["url"] === undefined) {
    problems.push({ path: "/headers", message: "belongs to url, which is not given" });
  }
  return problems;
}
