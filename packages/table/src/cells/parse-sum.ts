import { calculate, roundTo } from "@decern/core/tools";
import { CellError, numberFrom, numberPattern, type References } from "./literals.js";
import { valueAt } from "./scalar.js";
import { Scanner } from "./scanner.js";

export type Numeric = (input: unknown, profile: unknown) => number;

interface Sum {
  readonly compute: Numeric;
  readonly isConstant: boolean;
  /**
   * The same for calculations with the same result: apart from blanks and brackets, from the order of what is added, multiplied or
   * compared, and from constants that are calculated. Each step is rounded, so nothing is moved from one step to another.
   */
  readonly form: string;
}

type SumOperator = Parameters<typeof calculate>[0];

/** Deeper than anybody writes. */
const maxDepth = 50;

/** Parses a calculation. */
export class SumParser {
  /** Fields of the input that the result depends on. */
  readonly reads: (readonly string[])[] = [];
  readonly #scanner: Scanner;
  #depth = 0;

  constructor(text: string, references: References) {
    this.#scanner = new Scanner(text, references);
  }

  parse(): Sum {
    const sum = this.#sum();
    if (!this.#scanner.isAtEnd) throw this.#scanner.unexpected("a number, a reference or a calculation");
    return sum;
  }

  #sum(): Sum {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new CellError("is nested too deeply");
    const sum = this.#chain(/\s*([+-])/y, () => this.#chain(/\s*([*/])/y, () => this.#factor()));
    this.#depth -= 1;
    this.#scanner.skipBlanks();
    return sum;
  }

  #chain(operators: RegExp, operand: () => Sum): Sum {
    let sum = operand();
    for (;;) {
      const operator = this.#scanner.take(operators)?.[1];
      if (operator === undefined) return sum;
      // The patterns have these four only.
      sum = combined(operator as SumOperator, sum, operand());
    }
  }

  #factor(): Sum {
    this.#scanner.skipBlanks();
    const start = this.#scanner.at;
    const reference = this.#scanner.takeReference("number");
    if (reference !== undefined) {
      const { root, path } = reference;
      if (root === "input") this.reads.push(path);
      const text = this.#scanner.text.slice(start, this.#scanner.at);
      const compute: Numeric = (input, profile) => {
        const value = valueAt(root === "input" ? input : profile, path);
        if (typeof value !== "number") throw new TypeError(`${text} is not a number`);
        return value;
      };
      return { compute, isConstant: false, form: text };
    }
    const number = this.#scanner.take(numberPattern)?.[0];
    if (number !== undefined) {
      const value = numberFrom(number);
      return constant(value);
    }
    const name = this.#scanner.take(/(min|max|round|floor|ceiling)\s*\(/y)?.[1];
    if (name !== undefined) return this.#call(name);
    if (this.#scanner.take(/\(/y) === undefined)
      throw this.#scanner.unexpected("a number, a reference or a calculation");
    const sum = this.#sum();
    this.#close();
    return sum;
  }

  #call(name: string): Sum {
    const sums = [this.#sum()];
    while (this.#scanner.take(/,/y) !== undefined) sums.push(this.#sum());
    this.#close();
    const isConstant = sums.every((sum) => sum.isConstant);
    const computes = sums.map(({ compute }) => compute);
    if (name === "min" || name === "max") {
      const pick = name === "min" ? Math.min : Math.max;
      const compute: Numeric = (input, profile) =>
        calculate("+", pick(...computes.map((each) => each(input, profile))), 0);
      return folded({ compute, isConstant, form: formOf(name, sums, true) });
    }
    const [value, second, third] = sums;
    if (value === undefined || third !== undefined)
      throw new CellError(`${name} takes a number and, optionally, how many decimal places it keeps`);
    const places = second === undefined ? 0 : placesOf(second, name);
    const rounding = name === "floor" || name === "ceiling" ? name : "half up";
    return folded({
      compute: (input, profile) => roundTo(value.compute(input, profile), places, rounding),
      isConstant: value.isConstant,
      form: formOf(name, [value, constant(places)], false),
    });
  }

  #close(): void {
    if (this.#scanner.take(/\s*\)/y) === undefined)
      throw new CellError(`"${this.#scanner.text}" lacks a ")"`);
  }
}

function placesOf({ compute, isConstant }: Sum, name: string): number {
  const places = isConstant ? compute(undefined, undefined) : Number.NaN;
  if (Number.isInteger(places) && places >= 0 && places <= 10) return places;
  throw new CellError(`${name} keeps 0 to 10 decimal places, written as a number`);
}

function combined(operator: SumOperator, left: Sum, right: Sum): Sum {
  return folded({
    compute: (input, profile) =>
      calculate(operator, left.compute(input, profile), right.compute(input, profile)),
    isConstant: left.isConstant && right.isConstant,
    form: formOf(operator, [left, right], operator === "+" || operator === "*"),
  });
}

function constant(value: number): Sum {
  return { compute: () => value, isConstant: true, form: String(value) };
}

function formOf(name: string, sums: readonly Sum[], isUnordered: boolean): string {
  const forms = sums.map(({ form }) => form);
  return `${name}(${(isUnordered ? forms.sort() : forms).join()})`;
}

/** A constant, where the result is one. */
function folded(sum: Sum): Sum {
  if (!sum.isConstant) return sum;
  try {
    return constant(sum.compute(undefined, undefined));
  } catch {
    // It is an error when it is evaluated, which says so with the cell.
    return sum;
  }
}
