const dayMs = 86_400_000;

/** The first instant of a day in UTC, as ISO 8601; undefined for what is not a day. */
export function startOfDay(day: string): string | undefined {
  return instantOf(Date.parse(`${day}T00:00:00.000Z`));
}

/** The first instant after a day in UTC. */
export function endOfDay(day: string): string | undefined {
  return instantOf(Date.parse(`${day}T00:00:00.000Z`) + dayMs);
}

function instantOf(epochMs: number): string | undefined {
  return Number.isNaN(epochMs) ? undefined : new Date(epochMs).toISOString();
}

/** An instant for people, in UTC: `2026-03-03 14:05:09`. */
export function utcTime(iso: string): string {
  return iso.slice(0, 19).replace("T", " ");
}

/** The same instant on the clock of the reader; undefined where that is UTC too. */
export function localTime(iso: string): string | undefined {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime()) || date.getTimezoneOffset() === 0) return undefined;
  return date.toLocaleString("en-GB", {
    dateStyle: "medium",
    timeStyle: "long",
  });
}

/** A duration for people. */
export function durationText(seconds: number): string {
  const ms = seconds * 1000;
  if (ms >= 1000) return `${seconds.toFixed(2)} s`;
  return ms >= 1 ? `${ms.toFixed(1)} ms` : `${(ms * 1000).toFixed(0)} µs`;
}
