import { jsonText } from "./sha256.js";

/** Orders inputs: the one with the shortest JSON first, so that a reader sees as little as possible. */
export function bySize(a: unknown, b: unknown): number {
  const [first, second] = [jsonText(a), jsonText(b)];
  if (first.length !== second.length) return first.length - second.length;
  return first < second ? -1 : first === second ? 0 : 1;
}
