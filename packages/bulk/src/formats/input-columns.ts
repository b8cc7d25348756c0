import type { Wanted } from "./wanted.js";

export type ReadRow<Row> = (row: Row) => unknown;

export type ReadColumn<Row> = (index: number, wanted: Wanted) => ReadRow<Row>;

/**
 * Puts columns together as the input of a decision. A dot in a column's name nests, unless the schema has a member of exactly that
 * name. An object without any member is absent, unless the schema requires it.
 *
 * @returns a row's input, an object
 * @throws Error for columns without a name, two of the same name, and one that is both a value and an object
 */
export function inputFromColumns<Row>(
  names: readonly (string | undefined)[],
  wanted: Wanted,
  readColumn: ReadColumn<Row>,
): ReadRow<Row> {
  const columns = new Group<Row>(wanted, readColumn);
  for (const [index, name = ""] of names.entries()) {
    if (name === "") throw new Error(`column ${index + 1} has no name`);
    const path = wanted.names(name) ? [name] : name.split(".");
    if (!columns.add(path, index))
      throw new Error(`column "${name}" occurs twice, or is both a value and an object`);
  }
  const read = columns.reader();
  return (row) => read(row) ?? {};
}

/** Whether columns with these names could reach into a prototype. */
export function areSuspicious(names: readonly (string | undefined)[]): boolean {
  return names.some((name) => name !== undefined && /__proto__|constructor/.test(name));
}

class Group<Row> {
  readonly #wanted: Wanted;
  readonly #readColumn: ReadColumn<Row>;
  readonly #members = new Map<string, Group<Row> | number>();

  constructor(wanted: Wanted, readColumn: ReadColumn<Row>) {
    this.#wanted = wanted;
    this.#readColumn = readColumn;
  }

  /** @returns false if the name is taken */
  add([first = "", ...rest]: readonly string[], index: number): boolean {
    const there = this.#members.get(first);
    if (rest.length === 0) {
      if (there !== undefined) return false;
      this.#members.set(first, index);
      return true;
    }
    if (typeof there === "number") return false;
    const group = there ?? new Group(this.#wanted.at(first), this.#readColumn);
    this.#members.set(first, group);
    return group.add(rest, index);
  }

  reader(): ReadRow<Row> {
    const members = [...this.#members].map(([key, member]) => ({
      key,
      read: typeof member === "number" ? this.#readColumn(member, this.#wanted.at(key)) : member.reader(),
    }));
    const { isRequired } = this.#wanted;
    return (row) => {
      const object: Record<string, unknown> = {};
      let isEmpty = !isRequired;
      for (const { key, read } of members) {
        const value = read(row);
        if (value === undefined) continue;
        isEmpty = false;
        if (key === "__proto__") defineOwn(object, key, value);
        else object[key] = value;
      }
      return isEmpty ? undefined : object;
    };
  }
}

/** An assignment would replace the prototype. */
function defineOwn(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
