import { ignoreRejection } from "../awaitable.js";
import { readable } from "../copies/readable.js";
import { DecernError, type Problem } from "../errors.js";
import { type Logger, neverThrowing } from "../evaluation/logger.js";
import type { EvaluationObserver } from "../hooks/observer.js";
import type { ProfileLoad, ProfileSource } from "../profiles/profile-source.js";
import type { Catalogue } from "./catalogue.js";
import { warnOfMissing } from "./missing-profile.js";

/** What a host does about loads. */
interface Watcher {
  readonly observers: readonly EvaluationObserver[];
  readonly logger: Logger;
  /** Whether calls may bring the profiles that are missing. */
  readonly mayLack: boolean;
}

/**
 * Loads the profiles of a catalogue from a source, now and from time to time.
 *
 * @returns what is wrong with the first set, where the source could load it at once
 */
export function watchSource(
  source: ProfileSource,
  catalogue: Catalogue,
  { observers, logger, mayLack }: Watcher,
): readonly Problem[] {
  const log = neverThrowing(logger);
  let refused: readonly Problem[] | undefined = [];
  const watch = source.watch({
    accept: (set) => warnOfMissing(catalogue.acceptProfiles(set, mayLack), logger),
    onLoad: (load) => {
      // The host refuses to start, and says why.
      if (refused !== undefined && load.outcome === "failed") refused = problemsOf(load.error);
      else report(load);
    },
  });
  const found = refused;
  refused = undefined;
  catalogue.follow(watch);
  return found;

  function report(load: ProfileLoad): void {
    if (load.outcome === "failed") {
      const what =
        catalogue.profiles === undefined
          ? "No profiles are in use yet"
          : "The last valid profiles stay in use";
      log.error({ err: load.error }, `Profiles could not be loaded. ${what}`);
    }
    for (const observer of observers) {
      try {
        // Nobody waits for an observer; one that is asynchronous all the same must not end the process.
        ignoreRejection(observer.onProfilesLoaded?.({ ...load }));
      } catch (error) {
        log.error({ err: readable(error) }, "An observer failed");
      }
    }
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof DecernError && error.problems.length > 0) return error.problems;
  const message = error instanceof Error ? error.message : "could not be loaded";
  return [{ path: "/profiles", message }];
}
