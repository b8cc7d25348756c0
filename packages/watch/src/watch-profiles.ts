import type { ProfileSource } from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import {
  checkedOptions,
  type Kind,
  kinds,
  type OptionRule,
  type OptionsOf,
  oneAtMost,
  option,
  optionWith,
  profileSource,
} from "@decern/core/tools";
import { customLoader, type LoadProfiles } from "./custom-loader.js";
import { fileLoader, type ProfileLoader, urlLoader, type WakeProfiles } from "./loaders.js";
import { ProfilePoll } from "./poll.js";

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

const sourceRows = {
  /** Path of a JSON file; a mounted ConfigMap, but not with `subPath`. */
  file: option(kinds.nonEmptyText),
  /** `http` or `https`, without redirects. `If-None-Match` is sent for an `ETag`. */
  url: option(url),
  /** Sent to `url`. */
  headers: option(headers),
  /**
   * `({ etag, signal }) => { profiles, revision?, activateAt?, etag? }`, or `undefined` if unchanged. Can be asynchronous.
   */
  load: option(kinds.callback<LoadProfiles>()),
};

const timeRows = {
  /** Pause between loads, in milliseconds, at least 100. @default 5000 */
  everyMs: optionWith(interval, 5000),
  /** Limit for a load, in milliseconds. @default 5000 */
  timeoutMs: optionWith(kinds.wholeNumber, 5000),
  /**
   * `(load) => stop`: calls `load` to load immediately.
   *
   * Called once for each host. A change that it misses is found by the next load. `stop` is called when the host closes.
   */
  wake: option(kinds.callback<WakeProfiles>()),
};

const rows = { ...sourceRows, ...timeRows };

interface Sources extends OptionsOf<typeof sourceRows> {}

/** One of the sources, with what belongs to it, and none of the others. */
type From<Source extends keyof Sources, Belonging extends keyof Sources = never> = {
  // `Pick` keeps the TSDoc of the rows.
  readonly [Name in keyof Pick<Sources, Source>]-?: NonNullable<Sources[Name]>;
} & Pick<Sources, Belonging> & { readonly [Name in Exclude<keyof Sources, Source | Belonging>]?: undefined };

/** Where profiles come from, exactly one of `file`, `url` and `load`, and how often they are loaded. */
export type WatchProfilesOptions = (From<"file"> | From<"url", "headers"> | From<"load">) &
  OptionsOf<typeof timeRows>;

const sources = ["file", "url", "load"] as const;

const oneAtLeast: OptionRule = (values) =>
  sources.some((name) => values[name] !== undefined)
    ? []
    : [{ path: "", message: `one of ${sources.join(", ")} is required` }];

const headersWithUrl: OptionRule = (values) =>
  values["headers"] !== undefined && values["url"] === undefined
    ? [{ path: "/headers", message: "belongs to url, which is not given" }]
    : [];

/**
 * Profiles that change while a host runs, from a file, from a URL or from a function of yours. The host validates each set as
 * a whole and takes it into use immediately. When a load fails or a set is refused, the last good set stays in use, and the next
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
  const { everyMs, timeoutMs, wake } = checkedOptions("watchProfiles", options, rows, [
    oneAtMost(...sources),
    oneAtLeast,
    headersWithUrl,
  ]);
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
