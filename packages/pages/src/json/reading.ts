/** A number that is sent as it was written, or the problem with the text. */
type NumberReading =
  | { readonly value: number }
  | {
      readonly problem: string;
      /** Whether the text may still become a number as the user types on. */
      readonly unfinished: boolean;
    };

/** RFC 8259, section 6, in four parts: sign, digits before and after the point, exponent. */
const grammar = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

const beginning = /^-?(?:(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?)?)?$/;

const minusZero = /^-[0.]+$/;

/**
 * Reads a number as JSON writes it. Refuses a number that JavaScript would write with another value, because the service
 * would receive something other than what the page shows.
 */
export function readNumber(written: string): NumberReading {
  const text = written.trim();
  if (!grammar.test(text)) {
    return { problem: "must be a number, such as 12, -1.5 or 2e6", unfinished: beginning.test(text) };
  }
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: "is too large to send as a number", unfinished: false };
  const sent = JSON.stringify(value);
  if (decimal(sent) !== decimal(text)) {
    const problem = `cannot be sent exactly as written: it would become ${sent}`;
    return { problem, unfinished: minusZero.test(text) };
  }
  return { value };
}

/** One spelling for each decimal number: `1.50` and `15e-1` are both `15e-1`. Minus zero keeps its sign. */
function decimal(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = grammar.exec(text) ?? [];
  const digits = whole + fraction;
  let from = 0;
  while (digits[from] === "0") from += 1;
  let to = digits.length;
  while (to > from && digits[to - 1] === "0") to -= 1;
  if (from === to) return `${sign}0`;
  return `${sign}${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}

/** A value that is sent as it was written, or the problem with the text. */
type JsonReading = { readonly value: unknown } | { readonly problem: string };

/** Matches strings only to skip them, because digits in a string are not a number. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

const longestQuote = 40;

/** A string with what comes after it where that makes it a name, or a bracket. */
const nameOrBracket = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;

/** The first name that an object has twice: of its values, JavaScript would keep the last. */
function repeatedName(text: string): { readonly name: string; readonly index: number } | undefined {
  const open: Set<unknown>[] = [];
  for (const { 0: token, 1: colon, index } of text.matchAll(nameOrBracket)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const name: unknown = JSON.parse(token.slice(0, token.length - colon.length));
      const names = open.at(-1);
      if (names?.has(name) === true) return { name: String(name), index };
      names?.add(name);
    }
  }
  return undefined;
}

/** Reads JSON. It refuses what JavaScript would silently change: numbers as a number field does, and a name that is there twice. */
export function readJson(text: string): JsonReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? `Not valid JSON: ${error.message}` : "Not valid JSON" };
  }
  for (const { 0: token, index } of text.matchAll(stringOrNumber)) {
    if (token.startsWith('"')) continue;
    const reading = readNumber(token);
    if ("problem" in reading) {
      const quote = token.length > longestQuote ? `${token.slice(0, longestQuote)}…` : token;
      const line = text.slice(0, index).split("\n").length;
      return { problem: `${quote} on line ${line} ${reading.problem}` };
    }
  }
  const repeated = repeatedName(text);
  if (repeated !== undefined) {
    const line = text.slice(0, repeated.index).split("\n").length;
    return { problem: `The name ${JSON.stringify(repeated.name)} is there twice, again on line ${line}` };
  }
  return { value };
}

interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** A number one step further, within its bounds, in decimal arithmetic: 0.1 and 0.2 make 0.3. */
export function stepped(value: number, step: number, { min, max }: Bounds): number {
  const digits = Math.min(maxDigits, Math.max(fractionDigits(value), fractionDigits(step)));
  const next = Number((value + step).toFixed(digits));
  return Math.min(max ?? next, Math.max(min ?? next, next));
}

/** The maximum that `toFixed` accepts. */
const maxDigits = 100;

function fractionDigits(value: number): number {
  const [, fraction = "", exponent = "0"] = /^[^.e]*(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}
