import { isObject } from "../model/json.js";
import type { SharedCall } from "../model/share-link.js";

/** Reads a call that was kept as JSON. */
export function readKeptCall(value: unknown): SharedCall | undefined {
  if (!isObject(value) || !Object.hasOwn(value, "input")) return undefined;
  const { input, profile, profileName } = value;
  return {
    input,
    ...(profile === undefined ? {} : { profile }),
    ...(typeof profileName === "string" ? { profileName } : {}),
  };
}
