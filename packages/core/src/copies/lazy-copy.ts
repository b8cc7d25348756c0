import { copyData } from "./copy-data.js";
import { copyFlat } from "./copy-flat.js";

/**
 * A copy of plain data. It is made when somebody reads it, or at once where that is cheaper. Class instances and functions are
 * in it as they are.
 */
export class LazyCopy {
  readonly original: unknown;
  #copy: unknown;
  #made: boolean;

  constructor(original: unknown) {
    this.original = original;
    if (typeof original !== "object" && typeof original !== "function") {
      this.#copy = original;
      this.#made = true;
    } else {
      this.#copy = original === null ? null : copyFlat(original);
      this.#made = this.#copy !== undefined;
    }
  }

  /** Whether there is nothing left to copy. */
  get isMade(): boolean {
    return this.#made;
  }

  get value(): unknown {
    if (!this.#made) {
      this.#copy = copyData(this.original);
      this.#made = true;
    }
    return this.#copy;
  }

  /** Tells whether a value is this copy, without making one. */
  is(value: unknown): boolean {
    return this.#made && value === this.#copy;
  }
}
