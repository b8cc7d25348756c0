import { DecernError } from "@decern/core";
import { checkedOptions, kinds, option, type RowsOf } from "@decern/core/options";
import { program } from "@decern/core/tools";
import type { Exploration } from "../explore/exploration.js";
import { explore } from "../explore/explore.js";
import { examples, first, witnessesOf } from "../explore/inputs.js";
import { compare, lockedDecision, lockedVersion } from "./check-lock.js";
import {
  type DecisionLock,
  hashOf,
  jsonText,
  type LockedDecision,
  type LockedModule,
  type LockedVersion,
  type LockOptions,
  type LockUpdate,
} from "./lock.js";
import { keyOf, type ModuleVersion, versionsOf } from "./module-versions.js";
import { findSteps } from "./steps.js";

/** How inputs are looked for. */
interface InputSearch extends Omit<LockOptions, "accept"> {
  readonly now: string;
}

/** Looking for steps only evaluates, where exploring tries every rule. */
const stepsPerRun = 5;

/** Inputs worth keeping, each once, as JSON carries them. */
class LockInputs {
  readonly #inputs: unknown[] = [];
  readonly #known = new Set<string>();

  /** @param inputs - in this order */
  constructor(inputs: readonly unknown[] = []) {
    for (const input of inputs) this.#keep(input);
  }

  get all(): readonly unknown[] {
    return this.#inputs;
  }

  add(input: unknown): void {
    // JSON has no `undefined` and no `-0`: the locked input must be the one that is read later.
    const text: unknown = JSON.stringify(input);
    if (typeof text !== "string") return;
    const carried: unknown = JSON.parse(text);
    if (!this.#known.has(jsonText(carried))) this.#keep(carried);
  }

  /** Adds the examples of a version, and what exploring it finds. */
  search(version: ModuleVersion, { now, runs = 20_000, ...options }: InputSearch): void {
    const { decision } = version;
    const starts = examples(decision).map(({ input }) => input);
    for (const input of starts) this.add(input);
    for (const input of first(witnessesOf(decision, new Date(now)), runs)) this.add(input);
    const { thresholds = [] } = decision[program].boundLogic?.() ?? {};
    // Nothing else changes the result then.
    if (thresholds.length > 0 && thresholds.every(({ isComplete }) => isComplete)) return;
    const found = explore(decision, {
      examples: starts,
      profiles: version.moduleProfiles,
      ...options,
      runs,
      now: new Date(now),
    });
    const reached = found.rules.flatMap(({ witness }) => witness ?? []).map(({ input }) => input);
    for (const input of [...reached, ...furtherWitnesses(found)]) this.add(input);
    for (const pair of findSteps(version, [...starts, ...reached], now, runs * stepsPerRun))
      for (const input of pair) this.add(input);
  }

  #keep(input: unknown): void {
    this.#known.add(jsonText(input));
    this.#inputs.push(input);
  }
}

/** Without those of rules. */
function furtherWitnesses({ overlaps, noMatch, faults, boundaries }: Exploration): readonly unknown[] {
  return [
    ...overlaps.map(({ witness }) => witness),
    ...(noMatch === undefined ? [] : [noMatch]),
    ...faults.map(({ witness }) => witness),
    // Both sides: a threshold that moves by one changes either of them. `findSteps` looks for those within an output.
    ...boundaries.flatMap(({ witnesses }) => witnesses),
  ].map(({ input }) => input);
}

const rows = {
  sources: option(kinds.listOf(kinds.text)),
  runs: option(kinds.wholeNumber),
  seed: option(kinds.wholeNumber),
  accept: option(kinds.listOf(kinds.nonEmptyText), []),
} satisfies RowsOf<LockOptions>;

/** Of the first lock. Later ones keep their instant: envelopes contain it. */
const firstInstant = "2026-01-01T00:00:00.000Z";

/**
 * Brings a lock up to date: adds new versions and inputs, and keeps locked ones.
 *
 * @param earlier - `undefined` for the first time
 * @returns the new lock, or what differs: then nothing must be written
 * @throws DecernError `INVALID_OPTIONS` when a host could not serve the module, or an option is wrong
 */
export function updateLock(
  module: LockedModule,
  earlier: DecisionLock | undefined,
  options: LockOptions = {},
): LockUpdate {
  const { accept, ...search } = checkedOptions("updateLock", options, rows);
  const versions = versionsOf(module);
  checkAccepted(accept, versions);
  const accepted = new Set(accept);
  const differences =
    earlier === undefined
      ? []
      : compare(versions, earlier).differences.filter(
          ({ decisionId, version }) => !accepted.has(`${decisionId}@${version}`),
        );
  if (differences.length > 0) return { lock: undefined, differences };

  const now = earlier?.now ?? firstInstant;
  const decisions = grouped(versions, earlier).map(([id, ofId]) => {
    const before = lockedDecision(earlier, id);
    const inputs = new LockInputs(before?.inputs);
    for (const version of ofId) inputs.search(version, { now, ...search });
    const locked = ofId.map((version) => {
      const kept = accepted.has(version.key) ? undefined : lockedVersion(before, version.version);
      return [version.version, lockVersion(version, inputs.all, kept, now)] as const;
    });
    // Versions that are gone stay where they were.
    const all = Object.fromEntries([...Object.entries(before?.versions ?? {}), ...locked]);
    return [id, { inputs: inputs.all, versions: all }] as const;
  });
  return {
    lock: { lockVersion: 1, now, decisions: Object.fromEntries<LockedDecision>(decisions) },
    differences: [],
  };
}

/** The versions of each id: first the ids that are locked, so that their order in the file stays. */
function grouped(
  versions: readonly ModuleVersion[],
  earlier: DecisionLock | undefined,
): readonly (readonly [id: string, versions: readonly ModuleVersion[]])[] {
  const ids = new Set([...Object.keys(earlier?.decisions ?? {}), ...versions.map(({ id }) => id)]);
  return [...ids].map((id) => [id, versions.filter((version) => version.id === id)] as const);
}

/** @param kept - the locked version, which has the first inputs */
function lockVersion(
  version: ModuleVersion,
  inputs: readonly unknown[],
  kept: LockedVersion | undefined,
  now: string,
): LockedVersion {
  const before = kept?.envelopes ?? [];
  const added = inputs.slice(before.length).map((input) => version.evaluate(input, now).envelope);
  const envelopes = [...before, ...added];
  return { ...version.profiles, hash: hashOf(envelopes), envelopes };
}

function checkAccepted(accept: readonly string[], versions: readonly ModuleVersion[]): void {
  const known = versions.map(({ decision }) => keyOf(decision));
  const problems = accept.flatMap((key, index) =>
    known.includes(key)
      ? []
      : [
          {
            path: `/accept/${index}`,
            message: `"${key}" is not a version of the module; known are ${known.join(", ")}`,
          },
        ],
  );
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "updateLock", problems });
}
