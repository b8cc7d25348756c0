import type { Ajv } from "ajv";
import { type AjvMode, createAjv } from "./ajv.js";

/**
 * An AJV keeps all that it ever compiled, and what it compiled keeps it. Shared by a few schemas each, they cost little,
 * and schemas that nobody uses any more can be collected.
 */
const schemasEach = 16;

const shared = new Map<string, { readonly instance: Ajv; left: number }>();

/** An AJV to compile one schema with. Equal modes need equal keys. */
export function sharedAjv(key: string, mode: AjvMode): Ajv {
  let entry = shared.get(key);
  if (entry === undefined || entry.left === 0) {
    entry = { instance: createAjv(mode), left: schemasEach };
    shared.set(key, entry);
  }
  entry.left -= 1;
  return entry.instance;
}
