import { type Awaitable, isThenable, Lookout } from "../base/time.js";
import type { LoadGate } from "./guard.js";

/** Where the evaluations of lists and streams are recorded. */
interface Room {
  /** Whether there is room for one more of their records, so that single calls still find some. */
  readonly hasRoomForMany: boolean;
}

/** The places of one request at the gate: one for each evaluation that runs at the same time. */
export interface Places {
  /**
   * Waits for the first place, unless the request has it, and for room in the log.
   *
   * @returns whether there is one; not if no more is to be evaluated
   */
  enter(): Awaitable<boolean>;
  /** Takes one more place, if there is room. */
  enterAgain(): boolean;
  /** Leaves all places but the first. */
  leaveOthers(): void;
  leave(): void;
}

/** How many evaluations of one request may wait at the same time, such as for hooks or for their record. */
const mostWaiting = 64;

/** The lists and streams of one host, which share its event loop, its gate and the room in its log. */
export class Lists {
  readonly #room: Room;
  readonly #load: LoadGate | undefined;
  readonly #turns = new Turns();
  readonly #lookout = new Lookout();

  /**
   * @param room - for the records of what is evaluated, such as the runner
   * @param load - @default every request has a place
   */
  constructor(room: Room, load?: LoadGate | undefined) {
    this.#room = room;
    this.#load = load;
  }

  /**
   * @param first - what the request entered the gate with, if it did
   * @param isGone - whether no more is to be evaluated, such as when the client has gone
   */
  placesOf(first: object, isGone: () => boolean): Places {
    return new PlacesAt(this.#lookout, this.#room, this.#load, first, isGone);
  }

  /**
   * Evaluates items in order, a slice in each turn of the event loop, and yields after each slice. It ends early if its places
   * say that no more is to be evaluated.
   *
   * @param evaluate - must neither throw nor reject
   * @param take - gets each result, in the order of the items. It returns whether the slice continues: `false` once it holds as
   *   much as it should
   */
  async *slices<Item, Answer>(
    items: readonly Item[],
    places: Places,
    evaluate: (item: Item) => Awaitable<Answer>,
    take: (answer: Answer) => boolean,
  ): AsyncGenerator<undefined, void, undefined> {
    const rest = items[Symbol.iterator]();
    for (let next = rest.next(); next.done !== true; ) {
      if (!(await places.enter())) return;
      let goesOn = await this.#turns.next();
      if (!this.#room.hasRoomForMany) {
        // Others had their turns before.
        yield;
        continue;
      }
      let mayHoldMore = true;
      // From the first one that has to wait: those before it have been taken.
      const later: Awaitable<Answer>[] = [];
      let waiting = 0;
      for (;;) {
        const answer = evaluate(next.value);
        if (isThenable(answer)) {
          waiting += 1;
          later.push(answer);
        } else if (waiting > 0) {
          later.push(answer);
        } else {
          mayHoldMore = take(answer);
        }
        next = rest.next();
        const mayWait = waiting === 0 || (waiting < mostWaiting && places.enterAgain());
        if (next.done === true || !mayHoldMore || !mayWait) break;
        if (!goesOn()) {
          if (waiting === 0) break;
          // What waits holds up nothing that could wait at the same time.
          goesOn = await this.#turns.next();
        }
        if (!this.#room.hasRoomForMany) break;
      }
      const answers = waiting === 0 ? [] : await Promise.all(later);
      places.leaveOthers();
      for (const answer of answers) take(answer);
      yield;
    }
  }

  /** Evaluates items one at a time, in turns too. @param isLast - whether no further item is to be evaluated */
  async oneByOne<Item, Answer>(
    items: readonly Item[],
    evaluate: (item: Item) => Awaitable<Answer>,
    isLast: (answer: Answer) => boolean,
  ): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    let goesOn = (): boolean => false;
    for (const item of items) {
      if (!goesOn()) goesOn = await this.#turns.next();
      const answer = await evaluate(item);
      answers.push(answer);
      if (isLast(answer)) break;
    }
    return answers;
  }

  /** Runs what had to wait until the replies were written: in turns too, and with room for what it records. */
  async after(work: readonly (() => void)[]): Promise<void> {
    let goesOn = (): boolean => false;
    for (const run of work) {
      if (!goesOn()) goesOn = await this.#turns.next();
      while (!this.#room.hasRoomForMany) {
        await this.whenRoom();
        goesOn = await this.#turns.next();
      }
      run();
    }
  }

  /** Waits until there is room for the record of one of many evaluations. */
  whenRoom(): Awaitable<true> {
    return this.#lookout.find(() => this.#room.hasRoomForMany || undefined);
  }
}
/** Waits for the places of one request. */
class PlacesAt implements Places {
  readonly #lookout: Lookout;
  readonly #room: Room;
  readonly #load: LoadGate | undefined;
  readonly #first: object;
  readonly #isGone: () => boolean;
  readonly #others: object[] = [];

  constructor(
    lookout: Lookout,
    room: Room,
    load: LoadGate | undefined,
    first: object,
    isGone: () => boolean,
  ) {
    this.#lookout = lookout;
    this.#room = room;
    this.#load = load;
    this.#first = first;
    this.#isGone = isGone;
  }

  enter(): Awaitable<boolean> {
    return this.#lookout.find(() => this.#look());
  }

  /** @returns whether the request has its first place; `undefined` while it has to wait */
  #look(): boolean | undefined {
    if (this.#isGone()) return false;
    if (!this.#room.hasRoomForMany) return undefined;
    const load = this.#load;
    const isInside = load === undefined || load.has(this.#first) || load.enter(this.#first);
    return isInside ? true : undefined;
  }

  enterAgain(): boolean {
    if (this.#load === undefined) return true;
    const other = {};
    if (!this.#load.enter(other)) return false;
    this.#others.push(other);
    return true;
  }

  leaveOthers(): void {
    for (const other of this.#others.splice(0)) this.#load?.leave(other);
  }

  leave(): void {
    this.leaveOthers();
    this.#load?.leave(this.#first);
  }
}

// Kept from before anybody's test puts a fake in its place, under which no batch would continue.
const inNextTurn = globalThis.setImmediate;

/**
 * How long a batch may work before it yields the event loop, in milliseconds. One evaluation is never interrupted.
 */
const sliceMs = 3;

/** Reading the clock takes a part of a quick evaluation's time, so it is not read after each of them. */
const quickMs = 0.1;

const mostSkipped = 3;

/** Shares the event loop between the lists of a host: however many there are, one of them works in each turn. */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /**
   * Waits for a turn.
   *
   * @returns a function that tells whether the work is to continue in this turn
   */
  next(): Promise<() => boolean> {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        let lookedMs = performance.now();
        const endMs = lookedMs + sliceMs;
        let skip = 0;
        resolve(() => {
          if (skip > 0) {
            skip -= 1;
            return true;
          }
          const nowMs = performance.now();
          skip = nowMs - lookedMs < quickMs ? mostSkipped : 0;
          lookedMs = nowMs;
          return nowMs < endMs;
        });
      });
      if (this.#waiting.length === 1) inNextTurn(this.#grant);
    });
  }

  readonly #grant = (): void => {
    const begin = this.#waiting.shift();
    // What is requested within a turn takes place in the next one at the earliest.
    if (this.#waiting.length > 0) inNextTurn(this.#grant);
    begin?.();
  };
}
