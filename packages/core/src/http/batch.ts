import { type Awaitable, isThenable, type Room, whenRoom } from "../base/awaitable.js";
import type { Places } from "./overload.js";
import type { DecisionReply } from "./reply.js";

/** What came of one input: JSON text, and what to run once it is written. */
export type ItemReply = Pick<DecisionReply, "body" | "afterwards">;

/** How many evaluations of one request may wait at the same time, such as for hooks or for their record. */
const mostWaiting = 64;

/** Evaluates the inputs of one request in order, a slice in each turn of the event loop. */
export class BatchRun<Item> {
  readonly #turns: Turns;
  readonly #places: Places;
  readonly #room: Room;
  readonly #evaluate: (item: Item) => Awaitable<ItemReply>;

  /**
   * @param room - for the records of what it evaluates
   * @param evaluate - must neither throw nor reject
   */
  constructor(turns: Turns, places: Places, room: Room, evaluate: (item: Item) => Awaitable<ItemReply>) {
    this.#turns = turns;
    this.#places = places;
    this.#room = room;
    this.#evaluate = evaluate;
  }

  /**
   * Evaluates the items in order, and yields after each slice. It ends early if its places say that no more is to be evaluated.
   *
   * @param take - gets each reply, in the order of the items. It returns whether the slice may continue: `false` once it holds as
   *   much as it should
   */
  async *slices(
    items: readonly Item[],
    take: (reply: ItemReply) => boolean,
  ): AsyncGenerator<undefined, void, undefined> {
    const rest = items[Symbol.iterator]();
    for (let next = rest.next(); next.done !== true; ) {
      if (!(await this.#places.enter(this.#room))) return;
      let goesOn = await this.#turns.next();
      if (!this.#room.hasRoomForMany) {
        // Others had their turns before.
        yield;
        continue;
      }
      let mayHoldMore = true;
      // From the first one that has to wait: those before it have been taken.
      const replies: ItemReply[] = [];
      const waiting: Promise<void>[] = [];
      for (;;) {
        const reply = this.#evaluate(next.value);
        if (isThenable(reply)) {
          const index = replies.push(notYet) - 1;
          const settled = reply.then((ended) => {
            replies[index] = ended;
          });
          waiting.push(Promise.resolve(settled));
        } else if (waiting.length > 0) {
          replies.push(reply);
        } else {
          mayHoldMore = take(reply);
        }
        next = rest.next();
        if (next.done === true || !mayHoldMore || !this.#mayWait(waiting.length)) break;
        if (!goesOn()) {
          if (waiting.length === 0) break;
          // What waits holds up nothing that could wait at the same time.
          goesOn = await this.#turns.next();
        }
        if (!this.#room.hasRoomForMany) break;
      }
      if (waiting.length > 0) await Promise.all(waiting);
      this.#places.leaveOthers();
      for (const reply of replies) take(reply);
      yield;
    }
  }

  /** Runs what had to wait until the replies were written: in turns too, and with room for what it records. */
  async after(replies: readonly ItemReply[]): Promise<void> {
    let goesOn = (): boolean => false;
    for (const { afterwards } of replies) {
      if (afterwards === undefined) continue;
      if (!goesOn()) goesOn = await this.#turns.next();
      while (!this.#room.hasRoomForMany) {
        await whenRoom(this.#room);
        goesOn = await this.#turns.next();
      }
      afterwards();
    }
  }

  /** Whether one more evaluation may start alongside those that wait. */
  #mayWait(waiting: number): boolean {
    return waiting === 0 || (waiting < mostWaiting && this.#places.enterAgain());
  }
}

const notYet: ItemReply = { body: "", afterwards: undefined };

// Kept from before anybody's test puts a fake in its place, under which no batch would continue.
const inNextTurn = globalThis.setImmediate;

/**
 * How long a batch may work before it yields the event loop, in milliseconds. One evaluation is never interrupted.
 */
const sliceMs = 3;

/** Reading the clock takes a part of a quick evaluation's time, so it is not read after each of them. */
const quickMs = 0.1;

const mostSkipped = 3;

/** Shares the event loop between the batches of a service: however many there are, one of them works in each turn. */
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
