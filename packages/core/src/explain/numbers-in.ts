/** More would only spend the budget. */
const maxNumbers = 60;

/** The different numbers in some values, however deep. Rules compare with those of the profile, and fields with one another. */
export function numbersIn(values: readonly unknown[]): readonly number[] {
  const found = new Set<number>();
  let level = values;
  while (level.length > 0 && found.size < maxNumbers) {
    for (const value of level) if (typeof value === "number" && Number.isFinite(value)) found.add(value);
    // Level by level, because the outer ones matter more.
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return [...found].slice(0, maxNumbers);
}
