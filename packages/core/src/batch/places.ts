import type { LoadGate } from "./load-gate.js";

// Kept from before anybody's test puts a fake in its place, under which no batch would go on.
const later = globalThis.setTimeout;

/** How long to wait before asking the gate again, in milliseconds. */
const retryMs = 20;

/**
 * What looks for places, in the order in which it began to. It returns whether it is done. They share a timer: with one for each,
 * a thousand streams that waited took 7 % of a core, and that of a service which has no time to spare.
 */
const waiting = new Set<() => boolean>();

function lookAgain(): void {
  for (const look of waiting) if (look()) waiting.delete(look);
  if (waiting.size > 0) later(lookAgain, retryMs);
}

/** The places of one request at the gate: one for each evaluation that runs at the same time. */
export class Places {
  readonly #load: LoadGate | undefined;
  readonly #first: object;
  readonly #isGone: () => boolean;
  readonly #others: object[] = [];

  /**
   * @param first - what the request entered the gate with, if it did
   * @param isGone - whether no more is to be evaluated, such as when nobody waits for the reply
   */
  constructor(load: LoadGate | undefined, first: object, isGone: () => boolean) {
    this.#load = load;
    this.#first = first;
    this.#isGone = isGone;
  }

  /**
   * Waits for the first place, unless the request has it.
   *
   * @returns whether there is one; not if no more is to be evaluated
   */
  async enter(): Promise<boolean> {
    return (
      this.#look() ??
      new Promise((resolve) => {
        waiting.add(() => {
          const found = this.#look();
          if (found !== undefined) resolve(found);
          return found !== undefined;
        });
        if (waiting.size === 1) later(lookAgain, retryMs);
      })
    );
  }

  /** @returns whether the request has its first place; `undefined` while it has to wait */
  #look(): boolean | undefined {
    if (this.#isGone()) return false;
    const load = this.#load;
    const isInside = load === undefined || load.has(this.#first) || load.enter(this.#first);
    return isInside ? true : undefined;
  }

  /** Takes one more place, if there is room. */
  enterAgain(): boolean {
    if (this.#load === undefined) return true;
    const other = {};
    if (!this.#load.enter(other)) return false;
    this.#others.push(other);
    return true;
  }

  /** Leaves all places but the first. */
  leaveOthers(): void {
    for (const other of this.#others.splice(0)) this.#load?.leave(other);
  }

  leave(): void {
    this.leaveOthers();
    this.#load?.leave(this.#first);
  }
}
