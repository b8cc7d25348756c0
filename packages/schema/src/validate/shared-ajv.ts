import type { Ajv } from "ajv";
import { type AjvMode, createAjv } from "./ajv.js";

/**
 * How many schemas share one AJV. An AJV and everything it compiled keep each other alive. Sharing among a few schemas costs
 * little and still lets unused schemas be collected.
 */
const schemasEach = 16;

const shared = new Map<string, { readonly instance: Ajv; left: number }>();

/** Returns an AJV to compile one schema with. Equal modes must have equal keys. */
export function sharedAjv(key: string, mode: AjvMode): Ajv {
  let entry = shared.get(key);
  if (entry === undefined || entry.left === 0) {
    entry = { instance: createAjv(mode), left: schemasEach };
    shared.set(key, entry);
  }
  entry.left -= 1;
  return entry.instance;
}
