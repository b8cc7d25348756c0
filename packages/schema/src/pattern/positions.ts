import type { AST } from "@eslint-community/regexpp";

/** A character of the pattern, as often as it stands in the unrolled expression. */
export type CharacterNode =
  | AST.Character
  | AST.CharacterSet
  | AST.CharacterClass
  | AST.ExpressionCharacterClass;

/**
 * The automaton of a pattern that has a state for each of its characters (Glushkov's). Where two ways through the pattern
 * lead from one character to the next, the next is listed twice: both are tried when the match fails later.
 */
export interface Positions {
  readonly characters: readonly CharacterNode[];
  readonly follow: readonly (readonly number[])[];
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
  /** Lookarounds, each a pattern of its own. */
  readonly lookarounds: readonly {
    readonly alternatives: readonly AST.Alternative[];
    readonly looped: boolean;
  }[];
}

interface Fragment {
  readonly nullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** More would take long to analyse. */
const maxPositions = 600;
/** How often a bounded repetition is written out: whether it is ambiguous shows after a few times. */
const maxCopies = 4;

const empty: Fragment = { nullable: true, first: [], last: [] };

/** Builds the automaton; nothing when the pattern is too large, or says something that no automaton can. */
export function positionsOf(alternatives: readonly AST.Alternative[]): Positions | undefined {
  const builder = new Builder();
  const whole = builder.either(alternatives, false);
  return builder.failed ? undefined : { ...builder, ...whole };
}

class Builder {
  readonly characters: CharacterNode[] = [];
  readonly follow: number[][] = [];
  readonly lookarounds: { alternatives: readonly AST.Alternative[]; looped: boolean }[] = [];
  failed = false;

  either(alternatives: readonly AST.Alternative[], looped: boolean): Fragment {
    const all = alternatives.map(({ elements }) =>
      elements.reduce<Fragment>(
        (before, element) => this.#then(before, this.#element(element, looped)),
        empty,
      ),
    );
    return {
      nullable: all.some(({ nullable }) => nullable),
      first: all.flatMap(({ first }) => first),
      last: all.flatMap(({ last }) => last),
    };
  }

  #element(element: AST.Element, looped: boolean): Fragment {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass":
        return this.#character(element);
      case "Group":
      case "CapturingGroup":
        return this.either(element.alternatives, looped);
      case "Quantifier":
        return this.#quantifier(element, looped);
      case "Assertion":
        if (element.kind === "lookahead" || element.kind === "lookbehind") {
          this.lookarounds.push({ alternatives: element.alternatives, looped });
        }
        return empty;
      case "Backreference":
        this.failed = true;
        return empty;
    }
  }

  #character(character: CharacterNode): Fragment {
    const position = this.characters.push(character) - 1;
    this.follow.push([]);
    if (position > maxPositions) this.failed = true;
    return { nullable: false, first: [position], last: [position] };
  }

  #quantifier({ element, min, max }: AST.Quantifier, looped: boolean): Fragment {
    if (this.failed) return empty;
    const endless = max === Number.POSITIVE_INFINITY;
    const copy = (): Fragment => this.#element(element, looped || endless);
    let before = empty;
    const required = Math.min(min, maxCopies);
    for (let count = endless ? 1 : 0; count < required; count += 1) before = this.#then(before, copy());
    return this.#then(
      before,
      endless ? this.#loop(copy(), min === 0) : this.#optional(copy, Math.min(max - min, maxCopies)),
    );
  }

  #loop(body: Fragment, optional: boolean): Fragment {
    this.#connect(body.last, body.first);
    return { ...body, nullable: body.nullable || optional };
  }

  /** `x{0,2}` is `(?:x(?:x)?)?`: as `x?x?` it would be ambiguous. */
  #optional(copy: () => Fragment, times: number): Fragment {
    if (times <= 0) return empty;
    return { ...this.#then(copy(), this.#optional(copy, times - 1)), nullable: true };
  }

  #then(before: Fragment, after: Fragment): Fragment {
    this.#connect(before.last, after.first);
    return {
      nullable: before.nullable && after.nullable,
      first: before.nullable ? [...before.first, ...after.first] : before.first,
      last: after.nullable ? [...before.last, ...after.last] : after.last,
    };
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const position of from) this.follow[position]?.push(...to);
  }
}
