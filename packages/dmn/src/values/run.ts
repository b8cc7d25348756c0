/** What one evaluation may cost. */
export interface Limits {
  /** Steps: an operation, an iteration, a character or so of a text. @default 1,000,000 */
  readonly steps: number;
  /** Calls inside calls. @default 128 */
  readonly depth: number;
  /** Items of a list. @default 100,000 */
  readonly list: number;
  /** UTF-16 code units of a text. @default 1,000,000 */
  readonly text: number;
}

export const defaultLimits: Limits = { steps: 1_000_000, depth: 128, list: 100_000, text: 1_000_000 };

/** Where in a model something stands. */
export interface SourcePlace {
  /** The element, such as a decision's name. */
  readonly element: string;
  /** Offset into its expression, in UTF-16 code units. */
  readonly offset: number;
}

/** Why an expression is null. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
  readonly place: SourcePlace | undefined;
}

export type WarningCode =
  | "SYNTAX"
  | "UNKNOWN_NAME"
  | "WRONG_TYPE"
  | "WRONG_ARGUMENTS"
  | "NO_FUNCTION"
  | "INVALID_VALUE"
  | "NOT_SUPPORTED"
  | "TABLE";

/** An evaluation crossed a limit. It leaves the evaluation, and never becomes null. */
export class LimitError extends Error {
  override readonly name = "LimitError";
}

/** What reading the expressions of a model may cost: the grammar's time grows with the square of an expression's length. */
export class ReadingBudget {
  #left = 1_000_000_000;

  /** @throws LimitError */
  take(text: string): void {
    this.#left -= text.length * text.length;
    if (this.#left < 0) throw new LimitError("the expressions of the model are too long to be read");
  }
}

const mostWarnings = 20;

/** Most evaluations have no warnings, and many no hits. */
const none: readonly never[] = [];

/** How many expressions that are nested in each other, over all calls that are open, fit on the stack of JavaScript. */
const deepest = 1500;

/** Most evaluations don't read it. */
interface Clock {
  readonly now: Date;
}

/** One evaluation: the clock, what is left of its budget, and its warnings. */
export class Run {
  readonly limits: Limits;
  #warnings: Warning[] | undefined;
  #hits: string[] | undefined;
  readonly #clock: Clock;
  #steps: number;
  #calls = 0;
  #nested = 0;

  constructor(clock: Clock, limits: Limits = defaultLimits) {
    this.#clock = clock;
    this.limits = limits;
    this.#steps = limits.steps;
  }

  /** The same in all of the evaluation. */
  get now(): Date {
    return this.#clock.now;
  }

  /** How many steps it took. */
  get used(): number {
    return this.limits.steps - this.#steps;
  }

  /** @throws LimitError if the budget is used up */
  tick(steps = 1): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new LimitError(`more than ${this.limits.steps} steps`);
  }

  /**
   * Before a body is evaluated one call deeper. What throws ends the evaluation, so that only a body that returns is left.
   *
   * @param height - how deep the body's expression is nested
   * @throws LimitError if calls are nested too deep
   */
  enter(height: number): void {
    this.#calls += 1;
    this.#nested += height;
    if (this.#calls > this.limits.depth || this.#nested > deepest)
      throw new LimitError(`calls nested more than ${this.limits.depth} deep`);
  }

  leave(height: number): void {
    this.#calls -= 1;
    this.#nested -= height;
  }

  /** The rows of decision tables that decided, by their ids. */
  get hits(): readonly string[] {
    return this.#hits ?? none;
  }

  hit(row: string): void {
    this.#hits ??= [];
    this.#hits.push(row);
  }

  get warnings(): readonly Warning[] {
    return this.#warnings ?? none;
  }

  /** @throws LimitError if a text is too long */
  text(value: string): string {
    this.textLength(value.length);
    return value;
  }

  /** Before a text of a length is made. @throws LimitError */
  textLength(length: number): void {
    if (length > this.limits.text) throw new LimitError(`a text of more than ${this.limits.text} characters`);
    this.tick(length >> 5);
  }

  /** @throws LimitError if a list is too long */
  list<T>(items: readonly T[]): readonly T[] {
    this.listLength(items.length);
    return items;
  }

  /** Before a list of a length is made. @throws LimitError */
  listLength(length: number): void {
    if (length > this.limits.list) throw new LimitError(`a list of more than ${this.limits.list} items`);
    this.tick(length >> 6);
  }

  /** @returns null, which an expression with a problem is */
  warn(code: WarningCode, message: string, place?: SourcePlace): null {
    this.#warnings ??= [];
    if (this.#warnings.length < mostWarnings) this.#warnings.push({ code, message, place });
    return null;
  }
}
