import { canonicalJson } from "../base/canonical-json.js";
import { DecernError, type Problem } from "../base/errors.js";
import { isJsonObject } from "../base/json.js";
import type { Decision } from "../decision/decision.js";
import { bindSet, checkSet, type SetOptions } from "./check-generation.js";
import { Generation, type MissingCode, type Target } from "./generation.js";
import type { LoadedSet, Revision, SetCandidate } from "./generation-source.js";
import { type Change, type Part, PartLoads, type PartStatus } from "./part-loads.js";
import { missingProfile } from "./profiles.js";

/** How a service makes generations from what its sources load. */
export interface GenerationPlan {
  /** What never changes: decisions, policies, and profiles where no source loads them. */
  readonly options: SetOptions;
  /** Ids of the decisions that a source loads. */
  readonly awaited: readonly string[];
  /** Whether a source loads profiles. */
  readonly awaitsProfiles: boolean;
  /**
   * Whether calls may bring the profiles that are missing. None brings that of a decision that others use, and callers do not
   * expect to where there has been one.
   */
  readonly mayLack: boolean;
  /** Finds what else the host needs of decisions. */
  check(generation: Generation): readonly Problem[];
}

/** A generation, and what it was made from. */
interface Step {
  readonly generation: Generation;
  readonly decisions: Change | undefined;
  readonly profiles: Change | undefined;
  /** The one of the two that was new. */
  readonly change: Change;
  /** Profiles by key, as the host or a set gave them. */
  readonly given: unknown;
}

/** The generation that a service evaluates with, and those that come next. */
export class Catalogue {
  readonly #plan: GenerationPlan | undefined;
  #current: Pick<Step, "generation" | "given" | Part>;
  /** In the order of their instants, one for each part at most. */
  #next: readonly Step[] = [];
  readonly loads = new PartLoads();

  /** @param plan - absent where nothing is loaded */
  constructor(first: Generation, plan?: GenerationPlan) {
    const given = plan?.options.profiles;
    this.#current = { generation: first, decisions: undefined, profiles: undefined, given };
    this.#plan = plan;
  }

  /** The generation in use. Whatever has to be of one piece reads it once. */
  get current(): Generation {
    if (this.#next.length > 0) this.#takeDue(Date.now());
    return this.#current.generation;
  }

  /**
   * Finds what a call evaluates, by one reading of the clock that its record has too: none of the old table is dated after the
   * instant of the new one.
   *
   * @param id - @default the only one
   */
  find(id?: string, version?: string): Target | MissingCode {
    const chosenAtMs = this.#next.length > 0 ? Date.now() : undefined;
    if (chosenAtMs !== undefined) this.#takeDue(chosenAtMs);
    const { generation } = this.#current;
    const target = id === undefined ? generation.only : generation.find(id, version);
    return chosenAtMs === undefined || typeof target === "string" ? target : { ...target, chosenAtMs };
  }

  /**
   * Replaces all decisions or all profiles together, now or at the instant that the set names. Every generation that follows from
   * it is made and checked now.
   *
   * @returns the profiles that calls have to bring
   * @throws DecernError `INVALID_OPTIONS` with every problem; what was accepted before stays
   */
  accept(part: Part, set: LoadedSet): readonly Problem[] {
    const nowMs = Date.now();
    const { steps, left } = this.#stepsTo(part, set, nowMs);
    this.#next = steps;
    this.#takeDue(nowMs);
    return left;
  }

  /**
   * Makes and checks what {@link accept} would, and changes nothing.
   *
   * @returns what calls would then be evaluated with; `undefined` while a source has not loaded the other part
   * @throws DecernError as {@link accept}
   */
  candidate(part: Part, set: LoadedSet): SetCandidate | undefined {
    const { steps } = this.#stepsTo(part, set, Date.now());
    const step = steps.find(({ change }) => change.set === set);
    if (step === undefined || step.generation.notLoaded !== undefined) return undefined;
    const { generation, given } = step;
    const { generation: before, given: givenBefore } = this.#current;
    const hasSameProfiles =
      before.profiles !== undefined && canonicalJson(given) === canonicalJson(givenBefore);
    const changed = [...generation.decisions.values()].filter(
      ({ id, standard }) => !hasSameProfiles || before.get(id)?.standard.decision !== standard.decision,
    );
    return {
      ...generation.served,
      profiles: isJsonObject(given) ? given : {},
      changed: changed.map(({ id }) => id),
    };
  }

  #stepsTo(
    part: Part,
    set: LoadedSet,
    nowMs: number,
  ): { readonly steps: readonly Step[]; readonly left: readonly Problem[] } {
    this.#takeDue(nowMs);
    const { activateAtMs = nowMs } = set;
    const change: Change = { part, set, atMs: Math.max(activateAtMs, nowMs) };
    const waiting = this.#next.map((step) => step.change).filter((other) => other.part !== part);
    const changes = [...waiting, change].sort((one, other) => one.atMs - other.atMs);
    const steps: Step[] = [];
    const left: Problem[] = [];
    for (const each of changes) steps.push(this.#make(steps.at(-1) ?? this.#current, each, left));
    return { steps, left };
  }

  #make(from: Pick<Step, "generation" | Part>, change: Change, left: Problem[]): Step {
    const plan = this.#plan;
    if (plan === undefined) throw new DecernError("INTERNAL_ERROR", { detail: "nothing is loaded" });
    const decisions = change.part === "decisions" ? change : from.decisions;
    const profiles = change.part === "profiles" ? change : from.profiles;
    const { set, problems } =
      change.part === "decisions"
        ? setOf(plan, change.set.decisions ?? [])
        : { set: from.generation.set, problems: [] };
    const own = revisionOf(decisions);
    const brought = decisions?.set.profiles;
    const revisions = { decisions: own, profiles: brought === undefined ? revisionOf(profiles) : own };
    const awaits = set.awaited.length > 0 || (plan.awaitsProfiles && profiles === undefined);
    const given = brought ?? profiles?.set.profiles ?? plan.options.profiles;
    if (awaits) {
      refuse(change, problems);
      return { generation: new Generation(set, undefined, revisions), decisions, profiles, change, given };
    }
    const checked = bindSet(set, given, revisions);
    const { generation } = checked;
    const needed: Problem[] = [];
    for (const { decision, path } of checked.withoutProfile) {
      const isNeeded = !plan.mayLack || set.used.has(decision) || this.#had(decision);
      (isNeeded ? needed : left).push(...missingProfile(decision, path));
    }
    const isTwice = brought !== undefined && (plan.awaitsProfiles || plan.options.profiles !== undefined);
    const twice = { path: "/profiles", message: "must not be in the set: the host has profiles of its own" };
    refuse(change, [
      ...problems,
      ...(isTwice ? [twice] : []),
      ...checked.problems,
      ...needed,
      ...(set === from.generation.set ? [] : plan.check(generation)),
    ]);
    return { generation, decisions, profiles, change, given };
  }

  /** Whether a decision has had a profile. The one that waited may be due, and is then used until the new one is. */
  #had(decision: Decision): boolean {
    const before = [this.#current, ...this.#next].find(
      (step) => step.generation.profiles !== undefined,
    )?.generation;
    const earlier = before?.get(decision.id)?.standard.decision;
    return (
      before?.profileOf(decision) !== undefined ||
      (earlier !== undefined && earlier !== decision && before?.profileOf(earlier) !== undefined)
    );
  }

  /** Not by a timer, which comes late when the process is busy: all processes of a fleet change at the same instant. */
  #takeDue(nowMs: number): void {
    for (const step of this.#next) {
      if (nowMs < step.change.atMs) return;
      this.#current = step;
      this.#next = this.#next.slice(1);
    }
  }

  /** What sources have loaded; absent where there is no source. */
  get status(): { readonly [Name in Part]?: PartStatus } {
    const { revisions } = this.current;
    const next = this.#next.map(({ change }) => change);
    return this.loads.status(revisions, next);
  }
}

/** The decisions that never change with those that were loaded, of which the first of each id is the default. */
function setOf(
  { options, awaited }: GenerationPlan,
  loaded: readonly Decision[],
): ReturnType<typeof checkSet> {
  const fixed: readonly unknown[] = Array.isArray(options.decisions) ? options.decisions : [];
  const defaults = awaited.map(
    (id) => [id, { default: loaded.find((one) => one.id === id)?.version }] as const,
  );
  const lacking = defaults.filter(([, { default: version }]) => version === undefined);
  const { set, problems } = checkSet({
    ...options,
    decisions: [...fixed, ...loaded],
    versions: { ...Object(options.versions), ...Object.fromEntries(defaults) },
  });
  const missing = lacking.map(([id]) => ({ path: "/decisions", message: `has no decision "${id}"` }));
  return { set, problems: missing.length > 0 ? missing : problems };
}

function refuse({ part }: Change, problems: readonly Problem[]): void {
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: part, problems });
}

function revisionOf(change: Change | undefined): Revision | undefined {
  if (change === undefined) return undefined;
  const { revision, source } = change.set;
  return { revision, source, sinceMs: change.atMs };
}
