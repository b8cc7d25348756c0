/** Where time comes from. Give your own to make evaluations repeatable. */
export interface Clock {
  /** Wall-clock time, in milliseconds since the Unix epoch. */
  now(): number;
  /** A clock that never goes back, in milliseconds; only differences mean something. */
  monotonic(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** Tells whether a number is an instant that a date can hold. */
export function isInstant(epochMs: unknown): epochMs is number {
  return typeof epochMs === "number" && Math.abs(epochMs) <= 8.64e15;
}

let lastMs = Number.NaN;
let lastText = "";

/**
 * Writes an instant as ISO 8601 UTC. `toISOString` costs more than most decisions, so the text is kept while the
 * millisecond lasts.
 */
export function isoTimestamp(epochMs: number): string {
  if (epochMs !== lastMs) {
    lastText = new Date(epochMs).toISOString();
    lastMs = epochMs;
  }
  return lastText;
}
