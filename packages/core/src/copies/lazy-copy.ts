import { copyData } from "./copy-data.js";

/** A copy of plain data that is made when somebody looks. Class instances and functions are in it as they are. */
export class LazyCopy {
  readonly #original: unknown;
  #copy: unknown;
  #made = false;

  constructor(original: unknown) {
    this.#original = original;
  }

  get value(): unknown {
    if (!this.#made) {
      this.#copy = copyData(this.#original);
      this.#made = true;
    }
    return this.#copy;
  }

  /** Tells whether a value is this copy, without making one. */
  is(value: unknown): boolean {
    return this.#made && value === this.#copy;
  }
}
