import type { Awaitable } from "@decern/core";
import { DecernError, type Problem } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import {
  jsonProblems,
  kindOf,
  kinds,
  type OptionsOf,
  option,
  parseJsonBody,
  readOptions,
  requiredOption,
} from "@decern/core/tools";
import { activationRule, notLoaded, readActivation } from "./document.js";
import type { LoadedProfiles, ProfileLoadContext, ProfileLoader } from "./loaders.js";

const rows = {
  /** A profile for each decision id. JSON; it is copied. */
  profiles: requiredOption(kinds.object<Readonly<Record<string, unknown>>>()),
  /** Your name for this set, such as a commit or a number. */
  revision: option(kinds.text),
  /** From when on to use this set, such as `2027-01-01T00:00:00Z`; the set before it is used until then. @default immediately */
  activateAt: option(
    kindOf<string>(
      (value) => typeof value === "string" && readActivation(value) !== undefined,
      activationRule,
    ),
  ),
  /** Passed to the next load once this set was accepted, which can then return `undefined` for "unchanged". */
  etag: option(kinds.text),
};

/** A set of profiles, as a loader of your own returns it. */
export interface ProfileSet extends OptionsOf<typeof rows> {}

/**
 * Loads profiles from a place of your own. `undefined` means that the set with `context.etag` is still the one to use; without
 * an `etag` in the context it is an error. A loader that cannot tell may return the whole set each time.
 */
export type LoadProfiles = (context: ProfileLoadContext) => Awaitable<ProfileSet | undefined>;

const name = "load";

/** Reads profiles through a function of the host's. */
export function customLoader(loadProfiles: LoadProfiles): ProfileLoader {
  return {
    name,
    load: async (context) => {
      const set = await loadProfiles(context);
      if (set !== undefined) return loadedSet(set);
      if (context.etag !== undefined) return undefined;
      throw notLoaded(name, "returned undefined, which means unchanged, without an etag in its context");
    },
  };
}

function loadedSet(set: ProfileSet): LoadedProfiles {
  const problems = setProblems(set);
  if (problems.length > 0) {
    throw new DecernError("PROFILES_NOT_LOADED", { detail: "load returned an invalid result", problems });
  }
  const { revision, etag } = set;
  const activateAtMs = set.activateAt === undefined ? undefined : readActivation(set.activateAt);
  const profiles = JSON.stringify(set.profiles);
  return {
    text: `${JSON.stringify([revision, activateAtMs])} ${profiles}`,
    etag,
    read: () => ({ revision, activateAtMs, profiles: copied(profiles) }),
  };
}

function setProblems(set: ProfileSet): readonly Problem[] {
  const { problems } = readOptions(set, rows);
  if (problems.length > 0) return problems;
  return jsonProblems(set.profiles).map(({ path, message }) => ({ path: `/profiles${path}`, message }));
}

function copied(text: string): Readonly<Record<string, unknown>> {
  const copy = withoutForbiddenKeys(text);
  return isJsonObject(copy) ? copy : {};
}

function withoutForbiddenKeys(text: string): unknown {
  try {
    return parseJsonBody(text);
  } catch {
    throw notLoaded(name, "returned profiles with a forbidden key: __proto__, or constructor with prototype");
  }
}
