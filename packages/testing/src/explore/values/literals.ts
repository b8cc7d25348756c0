import { isJsonObject } from "@decern/core/schema";
import { reachableFrom } from "./declarations.js";
import { type Token, tokensOf } from "./source-tokens.js";

const most = 400;
/** Of literals that no rule seems to mean. They cost tries. */
const mostFurther = 60;
const longestFurther = 40;

/** Collects what somebody wrote down, in the source text of functions and in plain data: rules may compare with it. */
export class LiteralCollector {
  readonly numbers = new Set<number>();
  readonly texts = new Set<string>();
  /** Sources of regular expressions. */
  readonly patterns = new Set<string>();

  /**
   * @param ruleTexts - the source text of functions
   * @param sources - the text of the modules that they stand in: rules compare with constants beside them, too
   */
  addSources(ruleTexts: readonly string[], sources: readonly string[]): void {
    const own = ruleTexts.flatMap(tokensOf);
    for (const token of own) this.#addToken(token);
    if (sources.length === 0) return;
    const modules = sources.map(tokensOf);
    const names = new Set(own.filter(({ kind }) => kind === "word").map(({ text }) => text));
    for (const token of reachableFrom(names, modules)) this.#addToken(token);
    const further = { numbers: this.numbers.size + mostFurther, texts: this.texts.size + mostFurther };
    for (const token of modules.flat()) {
      const isFull =
        token.kind === "number" ? this.numbers.size >= further.numbers : this.texts.size >= further.texts;
      if (!isFull && token.text.length <= longestFurther) this.#addToken(token);
    }
  }

  /** @param depth - how deep it looks */
  addData(data: unknown, depth = 8): void {
    if (typeof data === "number") this.#addNumber(data);
    else if (typeof data === "string") this.#addText(data);
    else if (depth > 0 && Array.isArray(data)) for (const item of data) this.addData(item, depth - 1);
    else if (depth > 0 && isJsonObject(data)) {
      for (const [name, member] of Object.entries(data)) {
        // Lookup tables have what they look up as names.
        this.#addText(name);
        this.addData(member, depth - 1);
      }
    }
  }

  #addToken({ kind, text }: Token): void {
    if (kind === "text") this.#addText(unescaped(text));
    else if (kind === "number") this.#addNumber(Number(text.replaceAll("_", "")));
    else if (kind === "pattern" && this.patterns.size < most) this.patterns.add(text);
  }

  #addNumber(number: number): void {
    if (Number.isFinite(number) && this.numbers.size < most) this.numbers.add(number);
  }

  #addText(text: string): void {
    if (text.length <= 200 && this.texts.size < most) this.texts.add(text);
  }
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    const parsed: unknown = JSON.parse(`"${text.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`);
    return typeof parsed === "string" ? parsed : text;
  } catch {
    return text.replaceAll("\\", "");
  }
}
