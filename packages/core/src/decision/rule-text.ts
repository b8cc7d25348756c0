import type { OkResult } from "./result.js";

/** A longer text is not kept. */
const longestKept = 2000;

/** After how many changed values in a row only one in so many is looked at. */
const mostSkipped = 63;

type Literal = Readonly<Record<string, unknown>>;

/** Writes values as JSON and keeps the text of the last object of primitives: many rules emit the same one every time. */
class LastLiteral {
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
    // A getter is asked once: it may return something else next time.
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

/** Joined, not added: V8 keeps a sum as a tree, and would walk it again for each text that it becomes part of. */
export function flatText(...parts: readonly string[]): string {
  return parts.join("");
}

/** How the envelopes of one rule are written, around the data and the explanation, which they have twice. */
interface EnvelopeLayout {
  /** Writes data that has no `toJSON`, and explanations. */
  readonly write: (value: unknown) => string;
  readonly opening: string;
  readonly at: (evaluatedAt: string) => InstantText;
  readonly closing: string;
}

/** What is the same for all of a rule's matches in one millisecond. */
interface InstantText {
  /** From the data to the explanation. */
  readonly head: string;
  /** From there to the explanation once more. */
  readonly between: string;
}

/** Writes the envelopes in which one rule matched. Most of them have much in common with the one before, which is kept. */
export class RuleText {
  readonly #layout: EnvelopeLayout;
  readonly #data: LastLiteral;
  /** The last explanation that was kept, and its JSON. */
  #explanation: string | undefined;
  #said = "";
  /** The last instant that was kept, and its text. */
  #evaluatedAt: string | undefined;
  #instant: InstantText = { head: "", between: "" };
  /** The envelope that was made of all that is kept. */
  #text: string | undefined;

  constructor(layout: EnvelopeLayout) {
    this.#layout = layout;
    this.#data = new LastLiteral(layout.write);
  }

  /** Throws what the layout's `write` throws. */
  of(data: object | null, { explanation, evaluatedAt }: OkResult["meta"]): string {
    const { opening, closing } = this.#layout;
    const isKept = this.#data.isLast(data);
    if (isKept && explanation === this.#explanation && evaluatedAt === this.#evaluatedAt) {
      const said = this.#said;
      const { head, between } = this.#instant;
      this.#text ??= flatText(opening, this.#data.text, head, said, between, said, closing);
      return this.#text;
    }
    this.#text = undefined;
    const written = isKept ? this.#data.text : this.#data.write(data);
    const said = this.#sayOf(explanation);
    const { head, between } =
      evaluatedAt === this.#evaluatedAt ? this.#instant : this.#instantOf(evaluatedAt);
    return `${opening}${written}${head}${said}${between}${said}${closing}`;
  }

  /** The JSON of an explanation. Many rules say the same every time. */
  #sayOf(explanation: string): string {
    if (explanation === this.#explanation) return this.#said;
    const said = this.#layout.write(explanation);
    if (said.length <= longestKept) {
      this.#explanation = explanation;
      this.#said = said;
    }
    return said;
  }

  #instantOf(evaluatedAt: string): InstantText {
    const instant = this.#layout.at(evaluatedAt);
    if (instant.head.length + instant.between.length <= longestKept) {
      this.#evaluatedAt = evaluatedAt;
      this.#instant = instant;
    }
    return instant;
  }
}
