import { DecernError, type Problem, type ProfileSource } from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import {
  type OptionKind,
  type OptionTable,
  optionKinds,
  optionProblems,
  profileSource,
} from "@decern/core/tools";
import { customLoader, type LoadProfiles } from "./custom-loader.js";
import { fileLoader, type ProfileLoader, urlLoader, type WakeProfiles } from "./loaders.js";
import { ProfilePoll } from "./poll.js";

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

interface WatchFile extends WatchTimes {
  /** Path of a JSON file. A mounted ConfigMap works; one mounted with `subPath` never changes. */
  readonly file: string;
  readonly url?: undefined;
  readonly headers?: undefined;
  readonly load?: undefined;
}

interface WatchUrl extends WatchTimes {
  /** Where to `GET` the JSON. `ETag` and 304 are honoured; redirects are rejected. */
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
function checkWatchProfilesOptions(options: WatchProfilesOptions): void {
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

/**
 * Profiles that change while a host runs, from a file, from a URL or from a function of yours. The host validates each set as
 * a whole and takes it into use immediately. When a load fails or a set is rejected, the last good set stays in use, and the next
 * load comes after the usual interval.
 *
 * A document is JSON: a map of profiles by decision id, or `{ "revision": "42", "activateAt": "2027-01-01T00:00:00Z",
 * "profiles": { … } }`. It may have 10 MiB. A set with `activateAt` is validated when it is loaded, and used from that instant on,
 * by the machine's clock: all processes that have loaded it change together.
 *
 * @example
 * ```ts
 * const profiles = watchProfiles({ file: "/etc/decern/profiles.json", everyMs: 10_000 });
 *
 * const fromService = watchProfiles({
 *   url: "https://config.example.com/profiles.json",
 *   headers: { authorization: `Bearer ${token}` },
 * });
 *
 * const fromTable = watchProfiles({
 *   load: async ({ etag }) => {
 *     const { revision, profiles } = await readRow();
 *     return revision === etag ? undefined : { profiles, revision, etag: revision };
 *   },
 * });
 * ```
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function watchProfiles(options: WatchProfilesOptions): ProfileSource {
  checkWatchProfilesOptions(options);
  const { everyMs = 5000, timeoutMs = 5000, wake } = options;
  const loader = loaderOf(options);
  const source: ProfileSource = {
    [profileSource]: true,
    watch: (host) => {
      const poll = new ProfilePoll(loader, { everyMs, timeoutMs, wake }, host);
      poll.start();
      return poll;
    },
  };
  return Object.freeze(source);
}

function loaderOf(options: WatchProfilesOptions): ProfileLoader {
  if (options.file !== undefined) return fileLoader(options.file);
  if (options.url !== undefined) return urlLoader(new URL(options.url), { ...options.headers });
  return customLoader(options.load);
}
