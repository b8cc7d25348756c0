/** Numbers from 0 to below 1 that are the same in every run: a linear congruential generator is random enough to surprise a cache. */
export function randomOf(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The items in an order that is random, and the same in every run. */
export function randomOrder<T>(items: readonly T[]): readonly T[] {
  const rest = [...items];
  const ordered: T[] = [];
  const random = randomOf();
  while (rest.length > 0) {
    const at = Math.floor(random() * rest.length);
    const last = rest.pop();
    if (last === undefined) break;
    ordered.push(at === rest.length ? last : (rest.splice(at, 1, last)[0] ?? last));
  }
  return ordered;
}
