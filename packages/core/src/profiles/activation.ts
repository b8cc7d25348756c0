const instant = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** What `activateAt` must be, for messages. */
export const activationRule = 'must be an instant with its time zone, such as "2027-01-01T00:00:00Z"';

/**
 * Reads the instant from which a set of profiles is to be used. It needs a time zone, because all processes of a fleet must
 * read the same instant.
 *
 * @returns milliseconds since the Unix epoch; `undefined` for a text that is no such instant
 */
export function readActivation(text: string): number | undefined {
  const [, year, month, day] = instant.exec(text) ?? [];
  const epochMs = Date.parse(text);
  if (year === undefined || Number.isNaN(epochMs)) return undefined;
  // `Date` reads the 30th of February as the 2nd of March.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day) ? epochMs : undefined;
}
