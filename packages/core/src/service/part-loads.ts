import { DecernError, type Problem } from "../base/errors.js";
import { type Logger, neverThrowing, readable } from "../base/faults.js";
import type { Decision } from "../decision/decision.js";
import type {
  DecisionSource,
  HeldSet,
  LoadedSet,
  Revision,
  Revisions,
  SetCandidate,
  SourceLoad,
  SourceWatch,
} from "./generation-source.js";
import { type EvaluationObserver, notifyObservers } from "./hooks.js";

/** What a source loads. */
export type Part = "decisions" | "profiles";

/** What is in use of a part, and how its loads go. Instants are ISO 8601. */
export interface PartStatus {
  readonly revision?: string | undefined;
  readonly source?: string | undefined;
  readonly since?: string | undefined;
  /** The set that waits. */
  readonly next?: { readonly revision?: string | undefined; readonly activateAt: string } | undefined;
  /** Since when loads fail, so that the set in use may be out of date. */
  readonly failingSince?: string | undefined;
  /** The valid set that is not used, because it changes too many results. */
  readonly held?: Pick<HeldSet, "revision" | "digest" | "reason"> & { readonly since: string };
}

/** A set that a source loaded, and from when on it is used, in milliseconds since the Unix epoch. */
export interface Change {
  readonly part: Part;
  readonly set: LoadedSet;
  readonly atMs: number;
}

/** What loads the parts, and how their loads go. */
export class PartLoads {
  readonly #watches = new Map<Part, SourceWatch>();
  readonly #failingSince = new Map<Part, number>();
  #held: { readonly set: HeldSet; readonly sinceMs: number } | undefined;

  /** The set of decisions that changes too many results, with those that it changes. */
  get held(): HeldSet | undefined {
    return this.#held?.set;
  }

  /** Keeps what loads a part, to be stopped with the service. */
  follow(part: Part, watch: SourceWatch): void {
    this.#watches.set(part, watch);
  }

  /** Loads no more. What is in use stays. */
  async stop(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.stop()));
  }

  /** Notes how a load of a part ended. */
  note(part: Part, load: SourceLoad): void {
    const nowMs = Date.now();
    if (load.outcome === "failed") {
      if (!this.#failingSince.has(part)) this.#failingSince.set(part, nowMs);
      return;
    }
    this.#failingSince.delete(part);
    if (part !== "decisions") return;
    this.#held = load.outcome === "held" ? { set: load, sinceMs: nowMs } : undefined;
  }

  /** @param waiting - sets that are used later, one for each part at most */
  status(inUse: Revisions, waiting: readonly Change[]): { readonly [Name in Part]?: PartStatus } {
    const statusOf = (part: Part): readonly [Part, PartStatus] => {
      const next = waiting.find((change) => change.part === part);
      return [part, this.#statusOf(part, inUse[part], next)];
    };
    return Object.fromEntries([...this.#watches.keys()].map(statusOf));
  }

  #statusOf(part: Part, inUse: Revision | undefined, next: Change | undefined): PartStatus {
    const failingSince = this.#failingSince.get(part);
    return {
      ...(inUse && { revision: inUse.revision, source: inUse.source, since: isoOf(inUse.sinceMs) }),
      ...(next && { next: { revision: next.set.revision, activateAt: isoOf(next.atMs) } }),
      ...(failingSince === undefined ? {} : { failingSince: isoOf(failingSince) }),
      ...(part === "decisions" ? this.#heldStatus() : {}),
    };
  }

  #heldStatus(): Pick<PartStatus, "held"> {
    if (this.#held === undefined) return {};
    const { set, sinceMs } = this.#held;
    const { revision, digest, reason } = set;
    return { held: { revision, digest, reason, since: isoOf(sinceMs) } };
  }
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** What a source loads sets into. */
interface Loadable {
  readonly current: { readonly revisions: Revisions; readonly versions: readonly Decision[] };
  readonly loads: PartLoads;
  candidate(part: Part, set: LoadedSet): SetCandidate | undefined;
  /** @returns the profiles that calls have to bring */
  accept(part: Part, set: LoadedSet): readonly Problem[];
}

/** What receives reports of loads. */
interface Watcher {
  readonly observers: readonly EvaluationObserver[];
  readonly logger: Logger;
}

const loaded = {
  profiles: { noun: "Profiles", event: "onProfilesLoaded" },
  decisions: { noun: "Decisions", event: "onDecisionsLoaded" },
} as const;

/**
 * Loads a part of a catalogue from a source, now and from time to time.
 *
 * @returns what is wrong with the first set, where the source could load it immediately
 */
export function watchSource(
  part: Part,
  source: Pick<DecisionSource, "watch"> | undefined,
  catalogue: Loadable,
  { observers, logger }: Watcher,
): readonly Problem[] {
  if (source === undefined) return [];
  const log = neverThrowing(logger);
  const { noun, event } = loaded[part];
  let refused: readonly Problem[] | undefined = [];
  const watch: SourceWatch = source.watch({
    candidate: (set) => catalogue.candidate(part, set),
    accept(set) {
      warnOfMissing(catalogue.accept(part, set), logger);
    },
    onLoad(load) {
      catalogue.loads.note(part, load);
      // The host refuses to start, and says why.
      if (refused !== undefined && load.outcome === "failed") refused = problemsOf(part, load.error);
      else report(load);
      const isNew = part === "decisions" && load.outcome === "loaded" && refused === undefined;
      if (isNew) tellServed(observers, catalogue.current.versions, logger);
    },
  });
  const found = refused;
  refused = undefined;
  catalogue.loads.follow(part, watch);
  return found;

  function report(load: SourceLoad): void {
    const isInUse = catalogue.current.revisions[part] !== undefined;
    const kept = `${isInUse ? "The last valid" : "No"} ${part} ${isInUse ? "stay in use" : "are in use yet"}`;
    if (load.outcome === "failed") log.error({ err: load.error }, `${noun} could not be loaded. ${kept}`);
    if ("comparisons" in load && load.outcome !== "held")
      log.info({ comparisons: load.comparisons }, `${noun} were compared with records`);
    if (load.outcome === "held") log.error(withoutData(load), `${noun} are held: ${load.reason}. ${kept}`);
    notifyObservers(
      observers,
      (observer) => observer[event]?.({ ...load }),
      (thrown) => log.error({ err: readable(thrown) }, "An observer failed"),
    );
  }
}

/** Outputs stay out of the log. */
function withoutData({ revision, digest, comparisons, changes }: HeldSet): Readonly<Record<string, unknown>> {
  const records = changes.map(({ recordId, decisionId, before, after }) => ({
    recordId,
    decisionId,
    before: before.outcome,
    after: after.outcome,
  }));
  return { revision, digest, comparisons, records };
}

function problemsOf(part: Part, error: unknown): readonly Problem[] {
  if (error instanceof DecernError && error.problems.length > 0) return error.problems;
  const message = error instanceof Error ? error.message : "could not be loaded";
  return [{ path: `/${part}`, message }];
}

/** Tells observers what a host serves from now on. */
export function tellServed(
  observers: readonly EvaluationObserver[],
  decisions: readonly Decision[],
  logger: Logger,
): void {
  notifyObservers(
    observers,
    (observer) => observer.onServed?.(decisions),
    (thrown) => neverThrowing(logger).error({ err: readable(thrown) }, "An observer failed"),
  );
}

/** Tells the log about profiles that are missing, where calls may still bring them. */
export function warnOfMissing(missing: readonly Problem[], logger: Logger): void {
  if (missing.length === 0) return;
  const list = missing.map(({ path, message }) => `${path} ${message}`).join("; ");
  neverThrowing(logger).warn({ problems: missing }, `Every call without a profile will fail: ${list}`);
}
