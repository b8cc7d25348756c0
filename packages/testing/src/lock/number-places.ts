/** Where a number stands in an input: the names and indexes on the way to it. */
export type Place = readonly (string | number)[];

/** Every number of an input. */
export function numberPlaces(value: unknown, above: Place = []): readonly (readonly [Place, number])[] {
  if (typeof value === "number") return [[above, value]];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => numberPlaces(item, [...above, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => numberPlaces(member, [...above, name]));
}

/** An input with another number in one place. */
export function withNumber(value: unknown, [step, ...rest]: Place, number: number): unknown {
  if (step === undefined) return number;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === step ? withNumber(item, rest, number) : item));
  }
  if (typeof value !== "object" || value === null) return value;
  // `fromEntries` makes a property of `__proto__`, too.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === step ? withNumber(member, rest, number) : member,
    ]),
  );
}
