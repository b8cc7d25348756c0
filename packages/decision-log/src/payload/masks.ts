import type { Decision } from "@decern/core";
import { declaredNames } from "./declared-names.js";
import { type MaskPath, parseMaskPath } from "./mask-path.js";

const noPaths: readonly MaskPath[] = [];

/** The masks of all decisions. */
export class Masks {
  readonly #byId: ReadonlyMap<string, readonly MaskPath[]>;
  readonly #touched = new WeakMap<Decision, boolean>();
  readonly #declared = new WeakMap<Decision, ReadonlySet<string>>();

  /** @param masks - JSON Pointers by id of the decision */
  constructor(masks: Readonly<Record<string, readonly string[] | undefined>>) {
    const entries = Object.entries(masks).map(
      ([id, pointers = []]) => [id, pointers.map(parseMaskPath)] as const,
    );
    this.#byId = new Map(entries.filter(([, paths]) => paths.length > 0));
  }

  of(id: string): readonly MaskPath[] {
    return this.#byId.get(id) ?? noPaths;
  }

  /** Whether a decision or one that it uses has masks. */
  touch(decision: Decision): boolean {
    if (this.#byId.size === 0) return false;
    const known = this.#touched.get(decision);
    if (known !== undefined) return known;
    const touched = this.#byId.has(decision.id) || decision.uses.some((used) => this.touch(used));
    this.#touched.set(decision, touched);
    return touched;
  }

  /** Names of members that are no data. Collected once for each decision. */
  declared(decision: Decision): ReadonlySet<string> {
    const known = this.#declared.get(decision);
    if (known !== undefined) return known;
    const names = declaredNames(decision);
    this.#declared.set(decision, names);
    return names;
  }
}
