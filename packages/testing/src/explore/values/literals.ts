import { isJsonObject } from "@decern/core/schema";

/** A word, a literal or one character of JavaScript or TypeScript. */
interface Token {
  readonly kind: "word" | "number" | "text" | "pattern" | "sign";
  /** A text without its quotes, a pattern without its slashes. */
  readonly text: string;
}

const simpleToken =
  /\s+|\/\/[^\n]*|\/\*.*?\*\/|"(?<double>(?:[^"\\\n]|\\.)*)"|'(?<single>(?:[^'\\\n]|\\.)*)'|(?<number>0[xX][\da-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)n?|(?<word>[\p{ID_Start}$_][\p{ID_Continue}$]*)|(?<sign>.)/suy;

const patternToken = /\/(?<pattern>(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[dgimsuvy]*/y;

const templateToken = /(?<chunk>(?:[^`\\$]|\\.|\$(?!\{))*)(?<end>`|\$\{|$)/sy;

const wordsBeforePattern = /^(?:return|typeof|case|in|of|do|else|void|delete|new|await|yield)$/;

/** Splits source text, without white space, comments, and templates that something is filled in to. */
function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  /** For each open template, the number of open braces in its expression. */
  const braces: number[] = [];
  let at = 0;
  const take = (token: RegExp): RegExpExecArray["groups"] => {
    token.lastIndex = at;
    const found = token.exec(source);
    if (found === null) return undefined;
    at = token.lastIndex;
    return found.groups ?? {};
  };
  const takeTemplate = (isStart: boolean): void => {
    const { chunk = "", end } = take(templateToken) ?? {};
    if (end === "${") braces.push(0);
    else if (isStart) tokens.push({ kind: "text", text: chunk });
  };
  while (at < source.length) {
    const isPattern = source[at] === "/" && !endsValue(tokens.at(-1));
    const pattern = isPattern ? take(patternToken)?.["pattern"] : undefined;
    if (pattern !== undefined) {
      tokens.push({ kind: "pattern", text: pattern });
      continue;
    }
    const { double, single, number, word, sign } = take(simpleToken) ?? {};
    const text = double ?? single;
    const open = braces.at(-1);
    if (text !== undefined) tokens.push({ kind: "text", text });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else if (sign === "`") takeTemplate(true);
    else if (sign === "}" && open === 0) {
      braces.pop();
      takeTemplate(false);
    } else if (sign !== undefined) {
      if (open !== undefined && sign === "{") braces[braces.length - 1] = open + 1;
      if (open !== undefined && sign === "}") braces[braces.length - 1] = open - 1;
      tokens.push({ kind: "sign", text: sign });
    }
  }
  return tokens;
}

/** Whether a slash after it divides. */
function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return token.kind === "sign" ? /^[)\]}]$/.test(token.text) : !wordsBeforePattern.test(token.text);
}

const declaring = /^(?:const|let|var|function|class|enum|export|import|type|interface|default|async)$/;

/** Longer ones are looked at as far as this. */
const mostTokens = 5_000;

/**
 * The tokens that rules may mean by the names they use: those assigned to such a name, or under it in an object, and so on for
 * the names among them. Names are taken at face value, wherever they are declared.
 *
 * @param names - that the rules use
 * @param modules - the tokens of each file
 */
function reachableFrom(names: Iterable<string>, modules: readonly (readonly Token[])[]): ReadonlySet<Token> {
  const places = new Map<string, Place[]>();
  for (const tokens of modules) {
    for (const [index, { kind, text }] of tokens.entries()) {
      if (kind !== "word" && kind !== "text") continue;
      const known = places.get(text);
      if (known === undefined) places.set(text, [{ tokens, index }]);
      else known.push({ tokens, index });
    }
  }
  const found = new Set<Token>();
  const seen = new Set(names);
  // A set that grows while it is read is read to its end.
  for (const name of seen) {
    for (const place of places.get(name) ?? []) {
      for (const token of meantAt(place)) {
        found.add(token);
        if (token.kind === "word") seen.add(token.text);
      }
    }
  }
  return found;
}

/** Where a name stands. */
interface Place {
  readonly tokens: readonly Token[];
  readonly index: number;
}

/** The tokens that a name is declared with at a place. */
function meantAt({ tokens, index }: Place): readonly Token[] {
  const [other, before, name, sign, after] = [-2, -1, 0, 1, 2].map((step) => tokens[index + step]);
  if (name === undefined || declaring.test(name.text)) return [];
  // A name in an import stands for a different one.
  if (before?.kind === "word" && before.text === "as" && other !== undefined) return [other];
  const isDeclared = before?.kind === "word" && declaring.test(before.text);
  const isAssigned = isSign(sign, "=") && !isSign(after, "=") && !isSign(after, ">");
  if (!isDeclared && !isAssigned && !isSign(sign, ":")) return [];
  let depth = 0;
  let end = index + 1;
  for (; end < Math.min(tokens.length, index + mostTokens); end += 1) {
    const { kind, text } = tokens[end] ?? name;
    if (kind === "word" && depth === 0 && declaring.test(text) && end > index + 2) break;
    if (kind !== "sign") continue;
    if ("([{".includes(text)) depth += 1;
    else if (")]}".includes(text)) depth -= 1;
    else if (depth === 0 && (text === ";" || (text === "," && !isDeclared))) break;
    if (depth < 0) break;
  }
  return tokens.slice(index + 1, end);
}

function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === "sign" && token.text === text;
}

const most = 400;

/** Of literals that no rule seems to mean. They cost tries. */
const mostFurther = 60;

const longestFurther = 40;

/** Collects the literals in the source text of functions and in plain data: rules may compare with them. */
export class LiteralCollector {
  readonly numbers = new Set<number>();
  readonly texts = new Set<string>();
  /** Sources of regular expressions. */
  readonly patterns = new Set<string>();

  /**
   * @param ruleTexts - the source text of functions
   * @param sources - the text of the modules that they stand in: rules compare with constants next to them, too
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
