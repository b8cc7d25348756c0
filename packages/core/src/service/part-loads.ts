import type { HeldSet, LoadedSet, Revision, SourceLoad } from "./generation-source.js";

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

/** How the loads of both parts go. */
export class PartLoads {
  readonly #failingSince = new Map<Part, number>();
  #held: { readonly set: HeldSet; readonly sinceMs: number } | undefined;

  /** The set of decisions that changes too many results, with those that it changes. */
  get held(): HeldSet | undefined {
    return this.#held?.set;
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

  /** @param next - the set that waits */
  statusOf(
    part: Part,
    inUse: Revision | undefined,
    next: { readonly set: LoadedSet; readonly atMs: number } | undefined,
  ): PartStatus {
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
