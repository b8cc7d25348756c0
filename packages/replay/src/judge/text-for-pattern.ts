/** Most characters of a made text. */
const maxLength = 1000;

/**
 * Texts that match a regular expression of the simple kind: characters, classes, groups, alternatives and counts.
 *
 * @param least - characters that it should have
 * @param known - a text to try first
 * @returns those that match
 */
export function textFor(pattern: string, least: number, known: string | undefined): readonly string[] {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, "u");
  } catch {
    return [];
  }
  const tries = [known, ...[0, 1, least].map((count) => new TextMaker(pattern, count).make())];
  return [...new Set(tries)]
    .filter((text) => text !== undefined && text.length >= least && expression.test(text))
    .map(String);
}

/** Makes one text. What it does not understand ends it: the text is tried against the pattern anyway. */
class TextMaker {
  readonly #pattern: string;
  /** How often to repeat what may be repeated for ever. */
  readonly #repeats: number;
  #at = 0;

  constructor(pattern: string, repeats: number) {
    this.#pattern = pattern;
    this.#repeats = repeats;
  }

  make(): string {
    return this.#alternatives().slice(0, maxLength);
  }

  /** The first alternative. */
  #alternatives(): string {
    let chosen: string | undefined;
    for (;;) {
      const text = this.#sequence();
      chosen ??= text;
      if (this.#peek() !== "|") return chosen;
      this.#at += 1;
    }
  }

  #sequence(): string {
    let text = "";
    for (;;) {
      const next = this.#peek();
      if (next === undefined || next === "|" || next === ")") return text;
      const unit = this.#unit();
      const count = this.#count();
      if (text.length < maxLength) text += unit.repeat(Math.min(count, maxLength));
    }
  }

  #unit(): string {
    const next = this.#take();
    switch (next) {
      case "^":
      case "$":
        return "";
      case ".":
        return "x";
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case "\\":
        return escaped(this.#take());
      default:
        return next;
    }
  }

  #group(): string {
    const look = /^\?(?:[:=!]|<[=!]|<[^>]*>)/.exec(this.#pattern.slice(this.#at));
    const isLook = look !== null && /[=!]$/.test(look[0]);
    if (look !== null) this.#at += look[0].length;
    const text = this.#alternatives();
    this.#at += 1;
    return isLook ? "" : text;
  }

  /** The first character of a class. */
  #class(): string {
    const isNegated = this.#peek() === "^";
    if (isNegated) this.#at += 1;
    let first: string | undefined;
    while (this.#peek() !== undefined && this.#peek() !== "]") {
      const next = this.#take();
      const character = next === "\\" ? escaped(this.#take()) : next;
      first ??= character;
    }
    this.#at += 1;
    return isNegated ? "x" : (first ?? "");
  }

  #count(): number {
    const counted = /^(?:\{(\d+)(?:,(\d*))?\}|([?*+]))\??/.exec(this.#pattern.slice(this.#at));
    if (counted === null) return 1;
    this.#at += counted[0].length;
    const [, least, most, sign] = counted;
    if (sign === "?") return 0;
    const from = sign === "+" ? 1 : Number(least ?? 0);
    const to = sign !== undefined || most === "" ? Number.POSITIVE_INFINITY : Number(most ?? from);
    return Math.min(to, Math.max(from, this.#repeats));
  }

  #peek(): string | undefined {
    return this.#pattern[this.#at];
  }

  #take(): string {
    const next = this.#pattern[this.#at] ?? "";
    this.#at += 1;
    return next;
  }
}

function escaped(letter: string): string {
  switch (letter) {
    case "d":
      return "0";
    case "w":
      return "a";
    case "s":
      return " ";
    case "D":
    case "S":
      return "x";
    case "W":
      return "-";
    case "b":
    case "B":
      return "";
    default:
      return letter;
  }
}
