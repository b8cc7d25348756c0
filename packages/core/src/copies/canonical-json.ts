/** Deeper values have no canonical text; hosts refuse them anyway. */
const maxDepth = 500;

/** More objects and lists than in any body of usual size: the value may contain itself, or share its parts many times over. */
const maxContainers = 1_000_000;

/** Writes what JSON cannot carry as it is; `undefined` for what it cannot write either. */
export type WriteForeign = (value: unknown) => string | undefined;

/**
 * The canonical JSON text of a value (RFC 8785): equal for equal JSON, whatever the order of the properties.
 *
 * @param foreign - writes what JSON cannot carry as it is, such as a date or `NaN`. @default nothing can be written then
 * @returns `undefined` for a value that cannot be written: one with a cycle, an instance of a class, or a getter that throws
 */
export function canonicalJson(value: unknown, foreign: WriteForeign = unwritten): string | undefined {
  try {
    return new Writer(foreign).write(value, 0);
  } catch {
    // A getter or a proxy threw.
    return undefined;
  }
}

function unwritten(): undefined {
  return undefined;
}

class Writer {
  readonly #foreign: WriteForeign;
  #containersLeft = maxContainers;

  constructor(foreign: WriteForeign) {
    this.#foreign = foreign;
  }

  write(value: unknown, depth: number): string | undefined {
    if (value === null || typeof value === "boolean") return String(value);
    if (typeof value === "string") return isWellFormed(value) ? JSON.stringify(value) : this.#foreign(value);
    if (typeof value === "number")
      return Number.isFinite(value) ? JSON.stringify(value) : this.#foreign(value);
    if (typeof value !== "object") return this.#foreign(value);
    this.#containersLeft -= 1;
    if (depth === maxDepth || this.#containersLeft < 0) return undefined;
    if ("toJSON" in value) return this.#foreign(value);
    if (Array.isArray(value)) return this.#writeList(value, depth + 1);
    const prototype: unknown = Object.getPrototypeOf(value);
    const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
    return isPlain ? this.#writeObject(value, depth + 1) : this.#foreign(value);
  }

  #writeList(list: readonly unknown[], depth: number): string | undefined {
    let text = "[";
    for (let index = 0; index < list.length; index += 1) {
      const item = this.write(list[index], depth);
      if (item === undefined) return undefined;
      text += index === 0 ? item : `,${item}`;
    }
    return `${text}]`;
  }

  #writeObject(object: object, depth: number): string | undefined {
    const properties = new Map(Object.entries(object));
    let text = "{";
    // `sort` compares UTF-16 code units, as the RFC asks.
    for (const key of [...properties.keys()].sort()) {
      const property = properties.get(key);
      const written = this.write(property, depth);
      // Left out, as JSON does.
      if (property === undefined && written === undefined) continue;
      if (written === undefined || !isWellFormed(key)) return undefined;
      text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:${written}`;
    }
    return `${text}}`;
  }
}

/** A lone surrogate has no UTF-8 form. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
