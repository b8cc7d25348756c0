import { type ProfileSource, watchProfiles } from "@decern/core";
import { profiles } from "./decisions/index.js";

/** Watches a file of profiles. Those that are missing from it keep their built-in value. */
export function watchedProfiles(file: string, everyMs: number): ProfileSource {
  const source = watchProfiles({ file, everyMs });
  return {
    ...source,
    watch: (host) =>
      source.watch({
        accept: (loaded, revision) => host.accept({ ...profiles, ...loaded }, revision),
        onLoad: (load) => host.onLoad(load),
      }),
  };
}
