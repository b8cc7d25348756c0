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
 * @param take - calls `leave` when its batch has ended; resolves to `undefined` where it found none
 */
export async function takeInTurn(
  hasSuspects: boolean,
  take: (isSuspect: boolean, leave: () => void) => Promise<TakenBatch | undefined>,
): Promise<TakenBatch> {
  if (hasSuspects) {
    const batch = await takeWith(await turns.alone(), (leave) => take(true, leave));
    if (batch !== undefined) return batch;
  }
  return (await takeWith(await turns.beside(), (leave) => take(false, leave))) ?? nothing;
}

async function takeWith(
  leave: () => void,
  take: (leave: () => void) => Promise<TakenBatch | undefined>,
): Promise<TakenBatch | undefined> {
  try {
    const batch = await take(leave);
    if (batch === undefined) leave();
    return batch;
  } catch (error) {
    leave();
    throw error;
  }
}
