import { DecernError, type LoadedSet } from "@decern/core";
import { parseJsonBody } from "@decern/core/host";
import { dayOf, isJsonObject } from "@decern/core/schema";
import { type Format, notLoaded, type Place } from "./place.js";

const instant = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** What `activateAt` must be, for messages. */
export const activationRule = 'must be an instant with its time zone, such as "2027-01-01T00:00:00Z"';

/**
 * Reads the instant from which a set is to be used. It needs a time zone, because all processes of a fleet must
 * read the same instant.
 *
 * @returns milliseconds since the Unix epoch; `undefined` for a text that isn't such an instant
 */
export function readActivation(text: string): number | undefined {
  const [, day = ""] = instant.exec(text) ?? [];
  const epochMs = Date.parse(text);
  return dayOf(day) === undefined || Number.isNaN(epochMs) ? undefined : epochMs;
}

type Named = Pick<Place, "part" | "name">;

/**
 * Reads the text of a document: a plain map of profiles by decision id, or `{ revision, activateAt?, profiles }` as
 * fleets share it.
 *
 * @param name - where the text comes from, for messages
 * @throws DecernError `PROFILES_NOT_LOADED`; its message never repeats the text
 */
export function readProfileDocument(
  text: string,
  name: string,
): LoadedSet & { readonly profiles: Readonly<Record<string, unknown>> } {
  const place: Named = { part: "profiles", name };
  const document = parsedJson(text, place);
  if (!isJsonObject(document)) {
    throw notLoaded(place, "must have an object, with a profile for each decision id");
  }
  const { revision, profiles, activateAt, ...others } = document;
  // A plain map may name its decisions "revision" and "profiles", but a profile that is a string is hardly ever meant.
  if (typeof revision !== "string" || !isJsonObject(profiles) || Object.keys(others).length > 0) {
    return { profiles: document, revision: undefined };
  }
  const activateAtMs = activationOf(activateAt, place);
  return activateAtMs === undefined ? { profiles, revision } : { profiles, revision, activateAtMs };
}

/** @throws DecernError for anything but the text of an instant */
export function activationOf(activateAt: unknown, place: Named): number | undefined {
  if (activateAt === undefined) return undefined;
  const activateAtMs = typeof activateAt === "string" ? readActivation(activateAt) : undefined;
  if (activateAtMs === undefined) throw notLoaded(place, `has a wrong activateAt: it ${activationRule}`);
  return activateAtMs;
}

/** A file is one document. One of ten thousand tenants is far smaller than the limit. */
export const profileFormat: Format = {
  part: "profiles",
  accept: "application/json",
  mostBytes: 10 * 1024 * 1024,
  read: ([file], place) => readProfileDocument(decoded(file?.bytes, place), place.name),
};

/** Decodes a document's bytes. Bytes that aren't UTF-8 would silently turn into other text. */
export function decoded(bytes: Uint8Array | undefined, place: Named): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notLoaded(place, "is not valid UTF-8");
  }
}

/** @throws DecernError whose message never repeats the text */
export function parsedJson(text: string, place: Named): unknown {
  try {
    return parseJsonBody(text);
  } catch (error) {
    // Its messages speak of a request.
    const isForbidden = error instanceof DecernError && error.code === "FORBIDDEN_KEY";
    throw notLoaded(
      place,
      isForbidden ? "has a forbidden key: __proto__, or constructor with prototype" : "is not valid JSON",
    );
  }
}
