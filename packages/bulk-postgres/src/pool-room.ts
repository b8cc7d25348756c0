import { connectionsOf } from "./option-kinds.js";
import type { PostgresPool } from "./pool.js";

/** Batches that are under way in each pool, whatever their sources. */
const batches = new WeakMap<PostgresPool, number>();

/**
 * Makes room for a batch. It keeps a connection, and needs another one for a moment: if batches had all connections of a pool,
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
