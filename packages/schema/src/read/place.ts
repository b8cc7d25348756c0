import { escapePointer } from "@decern/core/schema";
import type { Resource, Scope } from "./definitions.js";
import type { Keyword } from "./keywords.js";

/** The reader's place in a type. */
export interface Place {
  readonly path: string;
  readonly depth: number;
  readonly scope: Scope | undefined;
  /** Absent at the root, which starts one. */
  readonly resource: Resource | undefined;
  /** The definition being read. */
  readonly definition: string | undefined;
  /** Whether this place still describes the same value as the start of that definition. */
  readonly here: boolean;
  /** Whether this is inside a union or another test, where defaults are not filled in. */
  readonly test: boolean;
}

export const rootPlace: Place = {
  path: "",
  depth: 0,
  scope: undefined,
  resource: undefined,
  definition: undefined,
  here: true,
  test: false,
};

/** The place of the schemas that a keyword holds. */
export function step(place: Place, { looks }: Keyword, path: string): Place {
  const inside = looks === "inside" || looks === "testInside";
  const test = looks === "test" || looks === "testInside";
  const { depth, here } = place;
  return { ...place, path, depth: depth + 1, here: here && !inside, test: place.test || test };
}

/** Escapes a name for a JSON Pointer. Few names need it, so the common case costs one test. */
export function pointerToken(name: string): string {
  return /[~/]/.test(name) ? escapePointer(name) : name;
}
