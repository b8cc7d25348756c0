import { DecernError, type ProfileDocument } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { parseJsonBody } from "@decern/core/tools";

const instant = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** What `activateAt` must be, for messages. */
export const activationRule = 'must be an instant with its time zone, such as "2027-01-01T00:00:00Z"';

/**
 * Reads the instant from which a set of profiles is to be used. It needs a time zone, because all processes of a fleet must
 * read the same instant.
 *
 * @returns milliseconds since the Unix epoch; `undefined` for a text that isn't such an instant
 */
export function readActivation(text: string): number | undefined {
  const [, year, month, day] = instant.exec(text) ?? [];
  const epochMs = Date.parse(text);
  if (year === undefined || Number.isNaN(epochMs)) return undefined;
  // `Date` reads the 30th of February as the 2nd of March.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day) ? epochMs : undefined;
}

/**
 * Reads the text of a document: a plain map of profiles by decision id, or `{ revision, activateAt?, profiles }` as
 * fleets share it.
 *
 * @param name - where the text comes from, for messages
 * @throws DecernError `PROFILES_NOT_LOADED`; its message never repeats the text
 */
export function readProfileDocument(text: string, name: string): ProfileDocument {
  const document = parse(text, name);
  if (!isJsonObject(document)) {
    throw notLoaded(name, "must have an object, with a profile for each decision id");
  }
  const { revision, profiles, activateAt, ...others } = document;
  // A plain map may name its decisions "revision" and "profiles", but a profile that is a string is hardly ever meant.
  if (typeof revision !== "string" || !isJsonObject(profiles) || Object.keys(others).length > 0) {
    return { profiles: document, revision: undefined };
  }
  if (activateAt === undefined) return { profiles, revision };
  const activateAtMs = typeof activateAt === "string" ? readActivation(activateAt) : undefined;
  if (activateAtMs === undefined) throw notLoaded(name, `has a wrong activateAt: it ${activationRule}`);
  return { profiles, revision, activateAtMs };
}

export function notLoaded(name: string, what: string, cause?: unknown): DecernError {
  const detail = `${name} ${what}`;
  return new DecernError("PROFILES_NOT_LOADED", cause === undefined ? { detail } : { detail, cause });
}

function parse(text: string, name: string): unknown {
  try {
    return parseJsonBody(text);
  } catch (error) {
    // Its messages speak of a request.
    const isForbidden = error instanceof DecernError && error.code === "FORBIDDEN_KEY";
    throw notLoaded(
      name,
      isForbidden ? "has a forbidden key: __proto__, or constructor with prototype" : "is not valid JSON",
    );
  }
}
