import type { Clock } from "@decern/core";

export const instant = "2026-03-04T05:06:07.089Z";

/** A clock that stands still. */
export const fixedClock: Clock = { now: () => Date.parse(instant), monotonic: () => 0 };
