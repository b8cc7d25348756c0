import { flatText } from "./flat-text.js";
import { LastLiteral, longestKept } from "./last-literal.js";
import type { OkResult } from "./result.js";

/** How the envelopes of one rule are written, around the data and the explanation, which they have twice. */
export interface EnvelopeLayout {
  /** Writes data that has no `toJSON`, and explanations. */
  readonly write: (value: unknown) => string;
  readonly opening: string;
  readonly at: (evaluatedAt: string) => InstantText;
  readonly closing: string;
}

/** What is the same for all of a rule's matches in one millisecond. */
export interface InstantText {
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
