import type { TakenBatch } from "@decern/core";
import { turns } from "../attempts/turns.js";

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
