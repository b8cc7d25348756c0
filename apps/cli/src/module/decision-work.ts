import { randomUUID } from "node:crypto";
import type { Decision, DecisionSource, LoadedSet } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { createGeneration, evaluateCall, parseProfileKey, program, sourceOf } from "@decern/core/tools";
import { CommandError } from "../command-line/command.js";
import { meant, sentenceOf } from "../text/text.js";
import { type DecisionModule, loadModule, profilesOf } from "./load-module.js";
import { type ProfileFile, withProfiles } from "./profile-file.js";

/** Which decision is evaluated, and with which profile. */
interface ChosenWork {
  readonly id: string;
  /** @default the server's default version */
  readonly version: string | undefined;
  /** Of a named profile. @default the default profile */
  readonly profileName: string | undefined;
}

/** @throws CommandError when the module does not have the decision or the version */
function chooseDecision(
  catalogue: ReturnType<typeof createGeneration>,
  { id, version }: ChosenWork,
): Decision {
  const hosted = catalogue.get(id);
  if (hosted === undefined) {
    const ids = [...catalogue.decisions.keys()];
    throw new CommandError(`the module has no decision "${id}"; ${meant(id, ids, "it has")}`);
  }
  if (version === undefined) return hosted.standard.decision;
  const chosen = hosted.versions.get(version);
  if (chosen !== undefined) return chosen.decision;
  const known = [...hosted.versions.keys()].join(", ");
  throw new CommandError(`${id} has no version ${version}, only ${known}`);
}

/** What the command line says about the decision. It can go to another thread. */
export interface DecisionSettings extends ChosenWork {
  readonly module: string;
  readonly cwd: string;
  /** @default the profiles of the module */
  readonly profiles: ProfileFile | undefined;
}

export interface DecisionWork {
  readonly decision: Decision;
  readonly profiles: Readonly<Record<string, unknown>>;
}

/** A decision that changes while a worker runs. */
export interface LiveWork {
  readonly decision: DecisionSource;
  /** @default those of the source */
  readonly profiles: Readonly<Record<string, unknown>> | undefined;
}

/**
 * As {@link decisionWork}, of a module whose `decisions` change.
 *
 * @returns `undefined` for a decision that does not
 * @throws CommandError also for options that name what only a fixed set has
 */
export async function liveWork(settings: DecisionSettings): Promise<LiveWork | undefined> {
  const { id, version, profileName, profiles } = settings;
  const { source, profiles: own } = await loadModule(settings.module, settings.cwd, true);
  const decision = source && sourceOfOne(source, id);
  if (source === undefined || decision === undefined) return undefined;
  for (const [option, value] of Object.entries({ version, "profile-name": profileName }))
    if (value !== undefined)
      throw new CommandError(`--${option} cannot be used: ${id} changes while the worker runs`);
  const given = profiles?.profiles ?? own;
  return { decision, profiles: given && withoutOthers(given, source, id) };
}

/** Profiles without those of the source's other decisions. */
function withoutOthers(
  profiles: Readonly<Record<string, unknown>>,
  { contracts, fixed }: DecisionSource,
  id: string,
): Readonly<Record<string, unknown>> {
  const others = [...contracts.flatMap(({ ids }) => ids), ...fixed.map((one) => one.id)];
  const isOfOther = (key: string): boolean => {
    const named = parseProfileKey(key)?.id;
    return named !== undefined && named !== id && others.includes(named);
  };
  return Object.fromEntries(Object.entries(profiles).filter(([key]) => !isOfOther(key)));
}

/**
 * Loads the module and chooses its decision.
 *
 * @throws CommandError when the module cannot be loaded, does not have the decision, the version or the profile, or rejects the
 * file of profiles
 */
export async function decisionWork(settings: DecisionSettings): Promise<DecisionWork> {
  const module = await loadModule(settings.module, settings.cwd);
  return chosenWork(withProfiles(module, settings.profiles), settings);
}

/** @throws CommandError when the module does not have the decision, the version or the profile */
function chosenWork({ decisions, profiles, versions }: DecisionModule, chosen: ChosenWork): DecisionWork {
  const decision = chooseDecision(createGeneration(decisions, profiles, versions), chosen);
  return {
    decision,
    profiles: withNamedProfile(profilesOf([decision], profiles), decision, chosen.profileName),
  };
}

/**
 * Profiles with a named one of a decision in place of its default.
 *
 * @throws CommandError when there is none of that name
 */
function withNamedProfile(
  profiles: Readonly<Record<string, unknown>>,
  { id, version }: Decision,
  name: string | undefined,
): Readonly<Record<string, unknown>> {
  if (name === undefined) return profiles;
  const own = [`${id}@${version}#${name}`, `${id}#${name}`].find((key) => Object.hasOwn(profiles, key));
  if (own === undefined) {
    throw new CommandError(`--profile-name needs a profile "${id}#${name}", and there is none`);
  }
  return { ...profiles, [`${id}@${version}`]: profiles[own] };
}

/**
 * Narrows a source to one of its decisions, as workers need it.
 *
 * @returns `undefined` for one that does not change
 * @throws CommandError if its contract makes several decisions
 */
function sourceOfOne(source: DecisionSource, id: string): DecisionSource | undefined {
  const contract = source.contracts.find(({ ids }) => ids.includes(id));
  if (contract === undefined) return undefined;
  if (contract.ids.length > 1)
    throw new CommandError(
      `${id} is one of several decisions of a contract, with which no worker can keep up; use the module of a fixed set`,
    );
  const { profiles } = source;
  const from = sourceOf("profile-source", profiles);
  const only = (set: LoadedSet): LoadedSet => {
    const decisions = set.decisions?.filter((one) => one.id === id) ?? [];
    return { ...set, decisions, profiles: set.profiles && withoutOthers(set.profiles, source, id) };
  };
  return {
    ...source,
    contracts: [contract],
    fixed: [],
    profiles: from === undefined && isJsonObject(profiles) ? withoutOthers(profiles, source, id) : profiles,
    watch: (host) =>
      source.watch({
        candidate: (set) => host.candidate(only(set)),
        accept: (set) => host.accept(only(set)),
        onLoad: (load) => host.onLoad(load),
      }),
  };
}

interface Call extends ChosenWork {
  readonly input: unknown;
  readonly now: Date;
}

/** The envelope, or why there is none. */
type Evaluated =
  | { readonly envelope: unknown; readonly isValid: boolean; readonly fault: undefined }
  | { readonly envelope: undefined; readonly fault: string };

/**
 * Evaluates a call as a server of the module would.
 *
 * @throws CommandError when the module does not have the decision, the version or the profile
 */
export function evaluateOnce(module: DecisionModule, call: Call): Evaluated {
  const { decision, profiles } = chosenWork(module, call);
  const catalogue = createGeneration([decision], profiles);
  const { input, now } = call;
  const { result, error } = evaluateCall({
    decision,
    input,
    profiles: catalogue.profiles,
    epochMs: now.getTime(),
    requestId: randomUUID(),
  });
  if (error !== undefined) {
    const reason = error.cause === undefined ? "" : `: ${sentenceOf(error.cause)}`;
    return { envelope: undefined, fault: `${sentenceOf(error)}${reason}` };
  }
  const isValid = !result.status.startsWith("INVALID_");
  return { envelope: JSON.parse(decision[program].stringify(result)), isValid, fault: undefined };
}
