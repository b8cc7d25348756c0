import { isJsonObject } from "@decern/core/schema";

const regexPattern =
  /(?:[(,=:[!&|?{};]|\breturn)\s*\/((?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[dgimsuvy]*(?=\s*[.,;)\]}&|?:])/g;
const textPattern = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\$]|\\.)*)`/g;
const numberPattern = /(?<![\w$.])(?:0x[\da-f_]+|\d[\d_]*(?:\.[\d_]+)?(?:e[+-]?\d+)?|\.\d[\d_]*)(?![\w$])/gi;

const most = 400;

/** Collects what somebody wrote down, in the source text of functions and in plain data: rules may compare with it. */
export class LiteralCollector {
  readonly numbers = new Set<number>();
  readonly texts = new Set<string>();
  /** Sources of regular expressions. */
  readonly patterns = new Set<string>();

  addSource(source: string): void {
    const withoutPatterns = source.replaceAll(regexPattern, (whole, pattern: string) => {
      this.patterns.add(pattern);
      return whole.replace(pattern, "");
    });
    const withoutTexts = withoutPatterns.replaceAll(textPattern, (_whole, ...groups: unknown[]) => {
      const text = groups.slice(0, 3).find((group) => typeof group === "string");
      if (typeof text === "string") this.#addText(unescaped(text));
      return " ";
    });
    for (const [text] of withoutTexts.matchAll(numberPattern))
      this.#addNumber(Number(text.replaceAll("_", "")));
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
