const printable = Array.from({ length: 95 }, (_none, index) => String.fromCharCode(32 + index));
const digits = "0123456789";
const letters = "abcdefghijklmnopqrstuvwxyz";
const wordCharacters = [...letters, ...letters.toUpperCase(), ...digits, "_"];

/** What is open in a pattern, and who chooses. */
export interface PatternChoices {
  /** One of the characters of a class, or of the alternatives. */
  pick(from: readonly string[]): string | undefined;
  /** How often something is repeated. `most` may be `Infinity`. */
  times(least: number, most: number): number;
}

/** Makes texts for a regular expression. It knows only the usual syntax: test its texts. */
export class TextPattern {
  readonly #source: string;
  readonly #choices: PatternChoices;
  readonly #longest: number;
  #at = 0;

  /** @param longest - how many characters a text may have */
  constructor(source: string, choices: PatternChoices, longest = 400) {
    this.#source = source;
    this.#choices = choices;
    this.#longest = longest;
  }

  sample(): string {
    this.#at = 0;
    return this.#alternatives().slice(0, this.#longest);
  }

  #peek(): string {
    return this.#source.charAt(this.#at);
  }

  #take(): string {
    this.#at += 1;
    return this.#source.charAt(this.#at - 1);
  }

  #alternatives(): string {
    const all = [this.#sequence()];
    while (this.#peek() === "|") {
      this.#take();
      all.push(this.#sequence());
    }
    return this.#choices.pick(all) ?? "";
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#source.length && this.#peek() !== "|" && this.#peek() !== ")") {
      const start = this.#at;
      let piece = this.#atom();
      const end = this.#at;
      const times = this.#times();
      const after = this.#at;
      if (times === 0) piece = "";
      for (let time = 1; time < Math.min(times, this.#longest) && piece.length < this.#longest; time += 1) {
        this.#at = start;
        piece += this.#atom();
      }
      this.#at = times > 1 ? after : Math.max(end, after);
      text += piece;
    }
    return text;
  }

  #times(): number {
    const rest = this.#source.slice(this.#at);
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(rest);
    const sign = /^[*+?]/.exec(rest)?.[0];
    if (counted === null && sign === undefined) return 1;
    this.#at += counted?.[0].length ?? 1;
    if (/^[?+]/.test(this.#source.slice(this.#at))) this.#at += 1;
    if (counted === null)
      return this.#choices.times(sign === "+" ? 1 : 0, sign === "?" ? 1 : Number.POSITIVE_INFINITY);
    const least = Number(counted[1]);
    const most = counted[3] === "" ? Number.POSITIVE_INFINITY : Number(counted[3]);
    return this.#choices.times(least, counted[2] === "" ? least : most);
  }

  #atom(): string {
    const character = this.#take();
    if (character === "^" || character === "$") return "";
    if (character === "(") return this.#group();
    if (character === "[") return this.#choices.pick(this.#set()) ?? "";
    if (character === "\\") return this.#choices.pick(this.#escaped()) ?? "";
    return character === "." ? (this.#choices.pick(printable) ?? "") : character;
  }

  #group(): string {
    const prefix = /^\?(?::|<[A-Za-z]\w*>|[=!]|<[=!])/.exec(this.#source.slice(this.#at))?.[0] ?? "";
    this.#at += prefix.length;
    const text = this.#alternatives();
    this.#take();
    // What comes after a look-ahead repeats it, as a rule.
    return /[=!]$/.test(prefix) ? "" : text;
  }

  #escaped(): readonly string[] {
    const character = this.#take();
    if (character === "d") return [...digits];
    if (character === "w") return wordCharacters;
    if (character === "s") return [" "];
    if (character === "b" || character === "B") return [""];
    if (character === "D" || character === "W" || character === "S")
      return character === "S" ? ["x", "-", "7"] : [character === "D" ? "x" : "-"];
    if (character === "p" || character === "P") {
      const named = /^\{[^}]*\}/.exec(this.#source.slice(this.#at))?.[0] ?? "";
      this.#at += named.length;
      return /^\{(?:N|Nd)/.test(named)
        ? [...digits]
        : /Lu|Upper/.test(named)
          ? ["A", "K", "Z"]
          : ["a", "k", "z"];
    }
    return [{ n: "\n", t: "\t", r: "\r" }[character] ?? character];
  }

  #set(): readonly string[] {
    const isNegated = this.#peek() === "^";
    if (isNegated) this.#take();
    const listed: string[] = [];
    while (this.#at < this.#source.length && this.#peek() !== "]") {
      const first = this.#take();
      if (first === "\\") {
        listed.push(...this.#escaped());
        continue;
      }
      const isRange = this.#peek() === "-" && !["]", ""].includes(this.#source.charAt(this.#at + 1));
      if (!isRange) {
        listed.push(first);
        continue;
      }
      this.#take();
      const last = this.#take().charCodeAt(0);
      for (let code = first.charCodeAt(0); code <= last && listed.length < 300; code += 1)
        listed.push(String.fromCharCode(code));
    }
    this.#take();
    return isNegated ? printable.filter((character) => !listed.includes(character)) : listed;
  }
}
