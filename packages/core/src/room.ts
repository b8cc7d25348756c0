import type { Awaitable } from "./awaitable.js";

// Kept from before anybody's test puts a fake in its place, under which no batch would go on.
const later = globalThis.setTimeout;

/** How long to wait before looking again, in milliseconds. */
const retryMs = 20;

/**
 * What looks for something, in the order in which it began to. It returns whether it is done. They share a timer: with one for
 * each, a thousand streams that waited took 7 % of a core, and that of a service which has no time to spare.
 */
const waiting = new Set<() => boolean>();

function lookAgain(): void {
  for (const look of waiting) if (look()) waiting.delete(look);
  if (waiting.size > 0) later(lookAgain, retryMs);
}

/** Looks until there is something. @param look - returns `undefined` while there is nothing; it must not throw */
export function found<T extends {}>(look: () => T | undefined): Awaitable<T> {
  return (
    look() ??
    new Promise((resolve) => {
      waiting.add(() => {
        const one = look();
        if (one !== undefined) resolve(one);
        return one !== undefined;
      });
      if (waiting.size === 1) later(lookAgain, retryMs);
    })
  );
}

/** Where the evaluations of lists and streams are recorded. */
export interface Room {
  /** Whether there is room for one more of their records, so that single calls still find some. */
  readonly hasRoomForMany: boolean;
}

/** Waits until there is room for the record of one of many evaluations. */
export function whenRoom(room: Room): Awaitable<true> {
  return found(() => room.hasRoomForMany || undefined);
}
