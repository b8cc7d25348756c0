import { DecernError } from "../errors.js";
import { parseJsonBody } from "../host/json-body.js";
import { isJsonObject } from "../schema/json-schema.js";
import { activationRule, readActivation } from "./activation.js";

/** A whole set of profiles. */
export interface ProfileDocument {
  /** A profile for each decision id, fresh from JSON: the host may keep them. */
  readonly profiles: Readonly<Record<string, unknown>>;
  /** The document's own name for this set, if it has one. */
  readonly revision: string | undefined;
  /** From when on to use it, in milliseconds since the Unix epoch. @default at once */
  readonly activateAtMs?: number | undefined;
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

/** The error of a load that failed. */
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
