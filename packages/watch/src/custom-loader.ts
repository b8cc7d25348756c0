import { type Awaitable, DecernError, type DecisionFile } from "@decern/core";
import { parseJsonBody } from "@decern/core/host";
import {
  type Kind,
  kinds,
  type OptionsOf,
  option,
  type RowsOf,
  readOptions,
  requiredOption,
} from "@decern/core/options";
import { isJsonObject } from "@decern/core/schema";
import { activationRule, readActivation } from "./document.js";
import {
  digestOf,
  exactText,
  type LoadContext,
  type Loaded,
  type Loader,
  notLoaded,
  type Place,
  type ReadSet,
} from "./place.js";

const setRows = {
  /** Your name for this set, such as a commit or a number. */
  revision: option(kinds.text),
  /** From when on to use this set, such as `2027-01-01T00:00:00Z`; the set before it is used until then. @default immediately */
  activateAt: option(
    kinds.that<string>(
      (value) => typeof value === "string" && readActivation(value) !== undefined,
      activationRule,
    ),
  ),
  /** Passed to the next load once this set was accepted, which can then return `undefined` for "unchanged". */
  etag: option(kinds.text),
};

const profileMap: Kind<Readonly<Record<string, unknown>>> = (value, path) => {
  const problems = kinds.object()(value, path);
  return problems.length > 0 ? problems : kinds.json()(value, path);
};

const profileRows = {
  /** A profile for each decision id. JSON; it is copied. */
  profiles: requiredOption(profileMap),
  ...setRows,
};

/** A set of profiles, as a loader of your own returns it. */
export interface ProfileSet extends OptionsOf<typeof profileRows> {}

const file: Kind<DecisionFile> = (value, path) => {
  const isFile =
    isJsonObject(value) &&
    typeof value["name"] === "string" &&
    (value["bytes"] instanceof Uint8Array || Object.hasOwn(value, "document"));
  return isFile ? [] : [{ path, message: "must be { name, bytes } or { name, document }" }];
};

const decisionRows = {
  /** Each with the content of a file, or with parsed JSON. */
  decisions: requiredOption(kinds.listOf(file)),
  /** A profile for each decision id, used from the same instant. JSON; it is copied. @default those of the host */
  profiles: option(profileMap),
  ...setRows,
};

/** A set of decisions, as a loader of your own returns it. */
export interface DecisionSet extends OptionsOf<typeof decisionRows> {}

/**
 * Loads a set from a place of your own. `undefined` means that the set with `context.etag` is still the one to use; without
 * an `etag` in the context it is an error. A loader that cannot tell may return the whole set each time.
 */
export type LoadSet<Set> = (context: LoadContext) => Awaitable<Set | undefined>;

/** What is common to the sets of all loaders. */
interface GivenSet extends OptionsOf<typeof setRows> {
  readonly profiles?: Readonly<Record<string, unknown>> | undefined;
}

/** Reads profiles through a function of the host's. */
export function profilesLoader(load: LoadSet<ProfileSet>): Loader {
  return customLoader("profiles", load, profileRows, () => ({ text: "", read: () => ({}) }));
}

/**
 * Reads decisions through a function of the host's.
 *
 * @param read - what files mean
 */
export function decisionsLoader(
  load: LoadSet<DecisionSet>,
  read: (files: readonly DecisionFile[], place: Place) => Pick<ReadSet, "decisions" | "check">,
): Loader {
  return customLoader("decisions", load, decisionRows, ({ decisions }, place) => ({
    text: JSON.stringify(
      decisions.map((one) => ("bytes" in one ? { ...one, bytes: exactText(one.bytes) } : one)),
    ),
    read: () => read(decisions, place),
  }));
}

function customLoader<Set extends GivenSet>(
  part: Place["part"],
  load: LoadSet<Set>,
  rows: RowsOf,
  contentOf: (
    set: Set,
    place: Place,
  ) => { readonly text: string; read(): Pick<ReadSet, "decisions" | "check"> },
): Loader {
  const place: Place = { part, source: "load", name: "load" };
  return {
    place,
    load: async (context) => {
      const set = await load(context);
      if (set !== undefined) {
        refuseInvalid(set, rows, place);
        return loadedSet(set, contentOf(set, place), place);
      }
      if (context.etag !== undefined) return undefined;
      throw notLoaded(place, "returned undefined, which means unchanged, without an etag in its context");
    },
  };
}

function loadedSet(
  set: GivenSet,
  content: { readonly text: string; read(): Pick<ReadSet, "decisions" | "check"> },
  place: Place,
): Loaded {
  const { revision, etag } = set;
  const activateAtMs = set.activateAt === undefined ? undefined : readActivation(set.activateAt);
  const profiles = set.profiles && JSON.stringify(set.profiles);
  const text = `${JSON.stringify([revision, activateAtMs])} ${profiles} ${content.text}`;
  return {
    text,
    etag,
    read: () => ({
      revision,
      digest: digestOf([text]),
      activateAtMs,
      source: place.source,
      ...(profiles === undefined ? {} : { profiles: copied(profiles, place) }),
      ...content.read(),
    }),
  };
}

function refuseInvalid(set: GivenSet, rows: RowsOf, place: Place): void {
  const { problems } = readOptions(set, rows);
  if (problems.length === 0) return;
  const { code } = notLoaded(place, "");
  throw new DecernError(code, { detail: "load returned an invalid result", problems });
}

function copied(text: string, place: Place): Readonly<Record<string, unknown>> {
  const copy = withoutForbiddenKeys(text, place);
  return isJsonObject(copy) ? copy : {};
}

function withoutForbiddenKeys(text: string, place: Place): unknown {
  try {
    return parseJsonBody(text);
  } catch {
    throw notLoaded(
      place,
      "returned profiles with a forbidden key: __proto__, or constructor with prototype",
    );
  }
}
