import type { TakenBatch } from "@decern/bulk";
import type { PostgresPool } from "../client/client.js";
import { connectionsOf } from "../client/option-kinds.js";

/**
 * When a process dies, everything that it had is under suspicion. So inputs that were tried before are evaluated while nothing else
 * is: no neighbour can die with them again and again.
 */
export class Turns {
  #beside = 0;
  #isAlone = false;
  #wantAlone = 0;
  #waiting: (() => void)[] = [];

  /** Resolves once no exclusive turn is running. Call the returned function at the end. */
  async beside(): Promise<() => void> {
    while (this.#isAlone || this.#wantAlone > 0) await this.#change();
    this.#beside += 1;
    return this.#once(() => {
      this.#beside -= 1;
    });
  }

  /** Resolves once no other turn is running. */
  async alone(): Promise<() => void> {
    this.#wantAlone += 1;
    while (this.#isAlone || this.#beside > 0) await this.#change();
    this.#wantAlone -= 1;
    this.#isAlone = true;
    return this.#once(() => {
      this.#isAlone = false;
    });
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #once(leave: () => void): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      leave();
      for (const wake of this.#waiting.splice(0)) wake();
    };
  }
}

/**
 * Of the process, not of a pool or source: what dies is the process, with the batches of all its pools. Keyed by the pool, an input
 * that kills would take the five tries of every other batch.
 */
const turns = new Turns();

/** How many batches each pool has, whatever their sources: the pool's own state. */
const batches = new WeakMap<PostgresPool, number>();

/**
 * Makes room for a batch. It keeps a connection, and needs another for a moment: if batches had all connections of a pool,
 * each would wait for the others.
 *
 * @returns what to call once at its end; `undefined` where there is no room
 */
export function enterPool(pool: PostgresPool): (() => void) | undefined {
  const count = batches.get(pool) ?? 0;
  if (count >= connectionsOf(pool) - 1) return undefined;
  batches.set(pool, count + 1);
  return () => {
    batches.set(pool, (batches.get(pool) ?? 1) - 1);
  };
}

/** Nothing to do at the moment. */
export const nothing: TakenBatch = {
  items: [],
  commit: async () => {},
  release: async () => {},
};

/**
 * Takes a batch in a turn of this process: inputs that were tried before while nothing else is evaluated, and others side by side.
 *
 * @param signal - aborted when the worker stops: nothing is taken after a turn came too late
 * @param take - calls `leave` when its batch has ended; resolves to `undefined` where it found none
 */
export async function takeInTurn(
  hasSuspects: boolean,
  signal: AbortSignal,
  take: (isSuspect: boolean, leave: () => void) => Promise<TakenBatch | undefined>,
): Promise<TakenBatch | undefined> {
  if (hasSuspects) {
    const batch = await takeWith(await turns.alone(), signal, (leave) => take(true, leave));
    if (batch !== undefined) return batch;
  }
  return await takeWith(await turns.beside(), signal, (leave) => take(false, leave));
}

async function takeWith(
  leave: () => void,
  signal: AbortSignal,
  take: (leave: () => void) => Promise<TakenBatch | undefined>,
): Promise<TakenBatch | undefined> {
  if (signal.aborted) {
    leave();
    return nothing;
  }
  try {
    const batch = await take(leave);
    if (batch === undefined) leave();
    return batch;
  } catch (error) {
    leave();
    throw error;
  }
}
