import type { Resource, Scope } from "./definitions.js";
import type { Keyword } from "./keywords.js";

/** Where in a type the reader is. */
export interface Place {
  readonly path: string;
  readonly depth: number;
  readonly scope: Scope | undefined;
  /** Absent at the root, which begins one. */
  readonly resource: Resource | undefined;
  /** The definition being read. */
  readonly definition: string | undefined;
  /** No step into the value was made since that definition began. */
  readonly here: boolean;
  /** A union or another test stands above: defaults are not filled in there. */
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

/** The place of what a keyword holds. */
export function step(place: Place, { looks }: Keyword, path: string): Place {
  const inside = looks === "inside" || looks === "testInside";
  const test = looks === "test" || looks === "testInside";
  const { depth, here } = place;
  return { ...place, path, depth: depth + 1, here: here && !inside, test: place.test || test };
}
