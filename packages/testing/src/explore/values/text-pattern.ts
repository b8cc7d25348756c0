import type { Random } from "./vocabulary.js";

const longest = 400;
const printable = Array.from({ length: 95 }, (_none, index) => String.fromCharCode(32 + index));
const digits = "0123456789";
const letters = "abcdefghijklmnopqrstuvwxyz";
const wordCharacters = [...letters, ...letters.toUpperCase(), ...digits, "_"];

/** Makes texts for a regular expression. It knows the usual syntax only: whoever asks checks what comes out. */
export class TextPattern {
  readonly #source: string;
  readonly #random: Random;
  #at = 0;

  constructor(source: string, random: Random) {
    this.#source = source;
    this.#random = random;
  }

  sample(): string {
    this.#at = 0;
    return this.#alternatives().slice(0, longest);
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
    return this.#random.pick(all) ?? "";
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
      for (let time = 1; time < times && piece.length < longest; time += 1) {
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
      return sign === "?" ? this.#random.below(2) : this.#random.below(4) + (sign === "+" ? 1 : 0);
    const least = Number(counted[1]);
    const greatest = counted[2] === "" ? least : counted[3] === "" ? least + 3 : Number(counted[3]);
    return least + this.#random.below(Math.min(greatest - least, 8) + 1);
  }

  #atom(): string {
    const character = this.#take();
    if (character === "^" || character === "$") return "";
    if (character === "(") return this.#group();
    if (character === "[") return this.#random.pick(this.#set()) ?? "";
    if (character === "\\") return this.#random.pick(this.#escaped()) ?? "";
    return character === "." ? (this.#random.pick(printable) ?? "") : character;
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
