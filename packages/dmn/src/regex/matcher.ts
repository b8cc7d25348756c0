import { LimitError, type Run } from "../values/run.js";
import { parsePattern } from "./parse-pattern.js";
import { type CharacterTest, type Flags, type Pattern, readFlags } from "./pattern.js";

type Instruction =
  | { readonly op: "set"; readonly has: CharacterTest }
  | { readonly op: "jump"; to: number }
  /** Continues at the first place, and at the second if that fails. */
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "save"; readonly slot: number }
  /** Fails if nothing was read since the slot was saved: a loop of nothing has no end. */
  | { readonly op: "progress"; readonly slot: number }
  | { readonly op: "back"; readonly index: number }
  | { readonly op: "start" | "end" | "match" };

/** Counted repetitions are written out. */
const largest = 20_000;

/** Where a match is, in UTF-16 code units. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** The text of each group from 1; undefined for one that took no part. */
  readonly groups: readonly (string | undefined)[];
}

/** A regular expression of XPath. It backtracks, as back-references need, and each step is taken from the evaluation's budget. */
export class Matcher {
  readonly #program: Instruction[] = [];
  readonly #flags: Flags;
  readonly groups: number;
  #slots: number;

  /**
   * @throws PatternError for what is not a regular expression
   * @throws LimitError for one that is too large
   */
  constructor(pattern: string, flags: string) {
    this.#flags = readFlags(flags);
    const parsed = parsePattern(pattern, this.#flags);
    this.groups = parsed.groups;
    this.#slots = 2 * (parsed.groups + 1);
    this.#emit(parsed.pattern);
    this.#program.push({ op: "match" });
  }

  /** How many instructions it was compiled to. */
  get size(): number {
    return this.#program.length;
  }

  /** The first match at or after a place. @throws LimitError */
  find(text: string, from: number, run: Run): Match | undefined {
    for (let start = from; start <= text.length; start += widthAt(text, start)) {
      const slots = this.#matchAt(text, start, run);
      if (slots === undefined) continue;
      const groups = Array.from({ length: this.groups }, (_, index) => {
        const [open, close] = [slots[2 * index + 2] ?? -1, slots[2 * index + 3] ?? -1];
        return open < 0 || close < 0 ? undefined : text.slice(open, close);
      });
      return { start, end: slots[1] ?? start, groups };
    }
    return undefined;
  }

  #matchAt(text: string, start: number, run: Run): readonly number[] | undefined {
    const others: { readonly at: number; readonly place: number; readonly slots: readonly number[] }[] = [];
    let at = 0;
    let place = start;
    let slots: readonly number[] = [];
    for (;;) {
      run.tick();
      const instruction = this.#program[at];
      let goesOn = true;
      at += 1;
      switch (instruction?.op) {
        case undefined:
        case "match":
          return withSlot(slots, 1, place);
        case "set": {
          const point = text.codePointAt(place);
          goesOn = point !== undefined && instruction.has(point);
          place += (point ?? 0) > 0xffff ? 2 : 1;
          break;
        }
        case "jump":
          at = instruction.to;
          break;
        case "split":
          others.push({ at: instruction.second, place, slots });
          at = instruction.first;
          break;
        case "save":
          slots = withSlot(slots, instruction.slot, place);
          run.tick(slots.length >> 3);
          break;
        case "progress":
          goesOn = slots[instruction.slot] !== place;
          break;
        case "back": {
          const [open = -1, close = -1] = [slots[2 * instruction.index], slots[2 * instruction.index + 1]];
          const group = open < 0 || close < 0 ? "" : text.slice(open, close);
          run.tick(group.length >> 3);
          goesOn = this.#isSame(text.slice(place, place + group.length), group);
          place += group.length;
          break;
        }
        case "start":
          goesOn =
            place === 0 || (this.#flags.isMultiline && text[place - 1] === "\n" && place < text.length);
          break;
        case "end":
          goesOn = place === text.length || (this.#flags.isMultiline && text[place] === "\n");
          break;
      }
      if (goesOn) continue;
      const other = others.pop();
      if (other === undefined) return undefined;
      ({ at, place, slots } = other);
    }
  }

  #isSame(a: string, b: string): boolean {
    return a === b || (this.#flags.ignoresCase && a.toLowerCase() === b.toLowerCase());
  }

  #push(instruction: Instruction): number {
    if (this.#program.length >= largest) throw new LimitError("a regular expression that is too large");
    return this.#program.push(instruction) - 1;
  }

  #emit(pattern: Pattern): void {
    switch (pattern.kind) {
      case "set":
        this.#push({ op: "set", has: pattern.has });
        break;
      case "sequence":
        for (const part of pattern.parts) this.#emit(part);
        break;
      case "choice":
        this.#emitChoice(pattern.options);
        break;
      case "group":
        this.#push({ op: "save", slot: 2 * pattern.index });
        this.#emit(pattern.of);
        this.#push({ op: "save", slot: 2 * pattern.index + 1 });
        break;
      case "backReference":
        this.#push({ op: "back", index: pattern.index });
        break;
      case "repeat":
        this.#emitRepeat(pattern);
        break;
      default:
        this.#push({ op: pattern.kind });
    }
  }

  #emitChoice(options: readonly Pattern[]): void {
    const jumps: { to: number }[] = [];
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        this.#emit(option);
        break;
      }
      const split = { op: "split" as const, first: this.#program.length + 1, second: 0 };
      this.#push(split);
      this.#emit(option);
      const jump = { op: "jump" as const, to: 0 };
      this.#push(jump);
      jumps.push(jump);
      split.second = this.#program.length;
    }
    for (const jump of jumps) jump.to = this.#program.length;
  }

  #emitRepeat({ of, min, max, isGreedy }: Extract<Pattern, { kind: "repeat" }>): void {
    for (let count = 0; count < min; count += 1) {
      this.#emit(of);
      if (this.#program.length >= largest) throw new LimitError("a regular expression that is too large");
    }
    const slot = this.#slots;
    this.#slots += 1;
    if (max === Number.POSITIVE_INFINITY) {
      const split = this.#emitSplit();
      this.#push({ op: "save", slot });
      this.#emit(of);
      this.#push({ op: "progress", slot });
      this.#push({ op: "jump", to: split.place });
      split.leave(this.#program.length, isGreedy);
      return;
    }
    const splits: { leave(end: number, isGreedy: boolean): void }[] = [];
    for (let count = min; count < max; count += 1) {
      splits.push(this.#emitSplit());
      this.#push({ op: "save", slot });
      this.#emit(of);
      this.#push({ op: "progress", slot });
    }
    for (const split of splits) split.leave(this.#program.length, isGreedy);
  }

  /** A choice between what follows and a place that is not known yet. */
  #emitSplit() {
    const split = { op: "split" as const, first: 0, second: 0 };
    const place = this.#push(split);
    return {
      place,
      leave(end: number, isGreedy: boolean): void {
        split.first = isGreedy ? place + 1 : end;
        split.second = isGreedy ? end : place + 1;
      },
    };
  }
}

function widthAt(text: string, place: number): number {
  return (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1;
}

function withSlot(slots: readonly number[], slot: number, place: number): readonly number[] {
  const copy = [...slots];
  while (copy.length <= slot) copy.push(-1);
  copy[slot] = place;
  return copy;
}
