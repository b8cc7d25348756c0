import type { ProfileSource } from "@decern/core";
import { watchProfiles } from "@decern/watch";
import { profiles } from "./decisions/index.js";

/** Watches a file of profiles. Those that are missing from it keep their built-in value. */
export function watchedProfiles(file: string, everyMs: number): ProfileSource {
  const source = watchProfiles({ file, everyMs });
  return {
    ...source,
    watch: (host) =>
      source.watch({
        accept: (set) => host.accept({ ...set, profiles: { ...profiles, ...set.profiles } }),
        onLoad: (load) => host.onLoad(load),
      }),
  };
}
