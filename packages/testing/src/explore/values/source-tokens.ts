/** A word, a literal or one character of JavaScript or TypeScript. */
export interface Token {
  readonly kind: "word" | "number" | "text" | "pattern" | "sign";
  /** Of a text, what is between the quotes; of a pattern, what is between the slashes. */
  readonly text: string;
}

const simpleToken =
  /\s+|\/\/[^\n]*|\/\*.*?\*\/|"(?<double>(?:[^"\\\n]|\\.)*)"|'(?<single>(?:[^'\\\n]|\\.)*)'|(?<number>0[xX][\da-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)n?|(?<word>[\p{ID_Start}$_][\p{ID_Continue}$]*)|(?<sign>.)/suy;
const patternToken = /\/(?<pattern>(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[dgimsuvy]*/y;
const templateToken = /(?<chunk>(?:[^`\\$]|\\.|\$(?!\{))*)(?<end>`|\$\{|$)/sy;
const wordsBeforePattern = /^(?:return|typeof|case|in|of|do|else|void|delete|new|await|yield)$/;

/** Splits source text, without white space, comments, and templates that something is filled in to. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  /** For each template that is open, how many braces are open in what is filled in. */
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
