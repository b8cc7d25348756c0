import { customLoader } from "./custom-loader.js";
import { fileLoader } from "./file-loader.js";
import type { ProfileLoader } from "./profile-loader.js";
import { ProfilePoll } from "./profile-poll.js";
import { type ProfileSource, profileSource } from "./profile-source.js";
import { urlLoader } from "./url-loader.js";
import { checkWatchProfilesOptions, type WatchProfilesOptions } from "./watch-profiles-options.js";

/**
 * Profiles that change while a host runs, from a file, from a URL or from a function of yours. The host validates each set as
 * a whole and takes it into use at once. When a load fails or a set is refused, the last good set stays in use, and the next
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
