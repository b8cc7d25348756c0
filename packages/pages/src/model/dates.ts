/** The kinds of text that a browser has a calendar for. */
export type DateFormat = "date" | "date-time";

export function isDateFormat(format: string | undefined): format is DateFormat {
  return format === "date" || format === "date-time";
}

const dateTime = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * A text as the value of the browser's own date field, which knows no offset: it shows the day and time as written. Empty
 * for a text that is not a date.
 */
export function toPickerValue(format: DateFormat, text: string): string {
  if (format === "date") return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : "";
  const [, day, time, seconds = ":00"] = dateTime.exec(text) ?? [];
  return day === undefined ? "" : `${day}T${time}${seconds}`;
}

/**
 * What is picked, as the schema's format expects it. A date-time keeps the offset of the text before it; without one, it is
 * in UTC.
 */
export function fromPickerValue(format: DateFormat, picked: string, before: string): string {
  if (format === "date" || picked === "") return picked;
  const offset = dateTime.exec(before)?.[4] ?? "Z";
  // The browser leaves the seconds out when they are zero.
  const [day, time = ""] = picked.split("T");
  return `${day}T${time.length === 5 ? `${time}:00` : time}${offset}`;
}

/** How a text of this format looks. */
export const dateShapes = {
  date: "YYYY-MM-DD",
  "date-time": "YYYY-MM-DDThh:mm:ssZ",
} as const satisfies Record<DateFormat, string>;

/**
 * The first instant of a day or minute in UTC, such as `2026-03-03` or `2026-03-03T14:05`, as ISO 8601; undefined for other texts.
 */
export function startOf(text: string): string | undefined {
  return instantOf(Date.parse(`${text}${text.includes("T") ? "Z" : "T00:00Z"}`));
}

/** The first instant after a day or minute in UTC. */
export function endOf(text: string): string | undefined {
  const start = startOf(text);
  return start === undefined
    ? undefined
    : instantOf(Date.parse(start) + (text.includes("T") ? 60_000 : 86_400_000));
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
