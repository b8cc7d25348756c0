import { LastLiteral, longestKept } from "./last-literal.js";
import type { OkResult } from "./result.js";

/** Writes the envelopes in which one rule matched. Most of them have much in common with the one before, which is kept. */
export class RuleText {
  /** The rule's id, as JSON. */
  readonly id: string;
  /** From the data to the explanation. */
  readonly #head: string;
  readonly #missesBefore: () => string;
  readonly #data = new LastLiteral();
  /** The last explanation that was kept, and its JSON. */
  #explanation = "";
  #said = '""';
  /** The last instant that was kept, and everything from there to the explanation in the trace. */
  #evaluatedAt = "";
  #between = "";
  /** The envelope that was made of all that is kept. */
  #text: string | undefined;

  /**
   * @param id - the rule's, as JSON
   * @param start - everything from the data to the rule's id
   * @param missesBefore - the trace entries of the rules before it, each followed by a comma
   */
  constructor(id: string, start: string, missesBefore: () => string) {
    this.id = id;
    this.#head = flat(start, id, ',"explanation":');
    this.#missesBefore = missesBefore;
  }

  /** Equal to `JSON.stringify(result)`, of data that has no `toJSON`. Throws what that throws. */
  of(data: object | null, { explanation, evaluatedAt }: OkResult["meta"]): string {
    const isKept = this.#data.isLast(data);
    if (isKept && explanation === this.#explanation && evaluatedAt === this.#evaluatedAt) {
      const said = this.#said;
      this.#text ??= flat(opening, this.#data.text, this.#head, said, this.#between, said, closing);
      return this.#text;
    }
    this.#text = undefined;
    const written = isKept ? this.#data.text : this.#data.write(data);
    const said = this.#sayOf(explanation);
    const between = evaluatedAt === this.#evaluatedAt ? this.#between : this.#betweenAt(evaluatedAt);
    return `${opening}${written}${this.#head}${said}${between}${said}${closing}`;
  }

  /** The JSON of an explanation. Many rules say the same every time. */
  #sayOf(explanation: string): string {
    if (explanation === this.#explanation) return this.#said;
    const said = JSON.stringify(explanation);
    if (said.length <= longestKept) {
      this.#explanation = explanation;
      this.#said = said;
    }
    return said;
  }

  /** The text is the same for all of a rule's matches in one millisecond. */
  #betweenAt(evaluatedAt: string): string {
    const text = flat(
      `,"evaluatedAt":"${evaluatedAt}","evaluatedRules":[`,
      this.#missesBefore(),
      `{"ruleId":${this.id},"matched":true,"explanation":`,
    );
    if (text.length <= longestKept) {
      this.#evaluatedAt = evaluatedAt;
      this.#between = text;
    }
    return text;
  }
}

const opening = '{"status":"OK","data":';
const closing = "}]}}";

/** Joined, not added: V8 keeps a sum as a tree, and would walk it again for each text that it becomes part of. */
function flat(...parts: readonly string[]): string {
  return parts.join("");
}
