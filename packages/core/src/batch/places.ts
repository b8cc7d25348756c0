import type { Awaitable } from "../awaitable.js";
import { found, type Room } from "../room.js";
import type { LoadGate } from "./load-gate.js";

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
   * Waits for the first place, unless the request has it, and for room in the log.
   *
   * @returns whether there is one; not if no more is to be evaluated
   */
  enter(room: Room): Awaitable<boolean> {
    return found(() => this.#look(room));
  }

  /** @returns whether the request has its first place; `undefined` while it has to wait */
  #look(room: Room): boolean | undefined {
    if (this.#isGone()) return false;
    if (!room.hasRoomForMany) return undefined;
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
