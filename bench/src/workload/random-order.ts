/** The items in an order that is random, and the same in every run. */
export function randomOrder<T>(items: readonly T[]): readonly T[] {
  const rest = [...items];
  const ordered: T[] = [];
  let state = 1;
  while (rest.length > 0) {
    // A linear congruential generator is random enough to surprise a cache.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const at = state % rest.length;
    const last = rest.pop();
    if (last === undefined) break;
    ordered.push(at === rest.length ? last : (rest.splice(at, 1, last)[0] ?? last));
  }
  return ordered;
}
