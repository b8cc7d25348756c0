import type { ProfileSource } from "@decern/core";
import { checkedOptions, feature, kinds, type OptionsOf, option } from "@decern/core/options";
import { type LoadSet, type ProfileSet, profilesLoader } from "./custom-loader.js";
import { profileFormat } from "./document.js";
import { fileLoader } from "./file-loader.js";
import { type From, placeRows, placeRules, timeRows } from "./options.js";
import type { Loader } from "./place.js";
import { Poll } from "./poll.js";
import { urlLoader } from "./url-loader.js";

const sourceRows = {
  /** Path of a JSON file; a mounted ConfigMap, but not with `subPath`. */
  file: option(kinds.nonEmptyText),
  ...placeRows,
  /**
   * `({ etag, signal }) => { profiles, revision?, activateAt?, etag? }`, or `undefined` if unchanged. Can be asynchronous.
   */
  load: option(kinds.callback<LoadSet<ProfileSet>>()),
};

const rows = { ...sourceRows, ...timeRows };

interface Sources extends OptionsOf<typeof sourceRows> {}

/** Where profiles come from, exactly one of `file`, `url` and `load`, and how often they are loaded. */
export type WatchProfilesOptions = (
  | From<Sources, "file">
  | From<Sources, "url", "headers">
  | From<Sources, "load">
) &
  OptionsOf<typeof timeRows>;

const rules = placeRules("file", "url", "load");

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
  const { everyMs, timeoutMs, wake } = checkedOptions("watchProfiles", options, rows, rules);
  const loader = loaderOf(options);
  const source: ProfileSource = {
    [feature]: "profile-source",
    watch: (host) => {
      const poll = new Poll(loader, { everyMs, timeoutMs, wake }, host);
      poll.start();
      return poll;
    },
  };
  return Object.freeze(source);
}

function loaderOf(options: WatchProfilesOptions): Loader {
  if (options.file !== undefined) return fileLoader(options.file, profileFormat);
  if (options.url !== undefined)
    return urlLoader(new URL(options.url), { ...options.headers }, profileFormat);
  return profilesLoader(options.load);
}
