/** A longer text is not kept. */
export const longestKept = 2000;

/** After how many changed values in a row only one in so many is looked at. */
const mostSkipped = 63;

type Literal = Readonly<Record<string, unknown>>;

/** Writes values as JSON and keeps the text of the last object of primitives: many rules emit the same one every time. */
export class LastLiteral {
  readonly #write: (value: unknown) => string;
  #keys: readonly string[] = [];
  #values: readonly unknown[] = [];
  #text = "{}";
  /** How many values are neither kept nor compared: where they differ every time, that would be in vain. */
  #skip = 0;
  #skipNext = 1;

  /** @param write - writes values that have no `toJSON` */
  constructor(write: (value: unknown) => string) {
    this.#write = write;
  }

  /** The JSON of the value that {@link isLast} found again. */
  get text(): string {
    return this.#text;
  }

  /** Whether a value is known to have the same JSON as the one that is kept. */
  isLast(value: object | null): boolean {
    if (this.#skip > 0) {
      this.#skip -= 1;
      return false;
    }
    if (isLiteral(value) && this.#equals(value)) {
      this.#skipNext = 1;
      return true;
    }
    this.#skip = this.#skipNext;
    this.#skipNext = Math.min(2 * this.#skipNext, mostSkipped);
    return false;
  }

  /** Throws what writing throws. */
  write(value: object | null): string {
    if (this.#skip > 0 || !isLiteral(value)) return this.#write(value);
    // A getter is asked once: its next answer may be another one.
    const copy = { ...value };
    const text = this.#write(copy);
    if (text.length <= longestKept) {
      this.#keys = Object.keys(copy);
      this.#values = Object.values(copy);
      this.#text = text;
    }
    return text;
  }

  #equals(value: Literal): boolean {
    const keys = Object.keys(value);
    const lastKeys = this.#keys;
    const lastValues = this.#values;
    if (keys.length !== lastKeys.length) return false;
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] ?? "";
      if (key !== lastKeys[index]) return false;
      const inner = value[key];
      // What is in an object or a function may have changed.
      if (inner !== lastValues[index] || typeof inner === "object" || typeof inner === "function")
        return false;
    }
    return true;
  }
}

/** Neither a list nor an instance of a class: own properties are all there is. */
function isLiteral(value: object | null): value is Literal {
  return value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
