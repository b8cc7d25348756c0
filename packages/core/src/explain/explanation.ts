import type { Result } from "../program/result.js";

/** What would change the answer to one call: the nearest changes of one field of its input, the others as they are. */
export interface Explanation {
  /** The answer that would change. */
  readonly envelope: Result;
  /** The fields where some change changes it, the nearest change first. */
  readonly fields: readonly FieldExplanation[];
  /** How many evaluations this took. */
  readonly evaluations: number;
  /** Whether every field was searched. False where the input has too many fields for the budget. */
  readonly complete: boolean;
}

/** One field of the input. */
export interface FieldExplanation {
  /** As a JSON Pointer into the input. */
  readonly path: string;
  /** The value that it has, with its default filled in. Absent where it has none. */
  readonly value?: unknown;
  /**
   * Nearest first. Of the values of a number or a date: the nearest that changes the answer and, unless that is the same, the
   * nearest that changes the rule. Of anything else: all that were found.
   */
  readonly flips: readonly Flip[];
  /** Which rule matches for which values. Present for numbers and dates. */
  readonly bands?: Bands;
}

/** A value of a field with which the answer is another one. */
export interface Flip {
  /** Absent when the field is to be left out. */
  readonly to?: unknown;
  readonly status: "OK" | "NO_MATCH";
  /** Absent when no rule matches. */
  readonly matchedRule?: string;
  readonly explanation?: string;
  /** The output. Absent when no rule matches. */
  readonly data?: unknown;
  readonly changesRule: boolean;
  readonly changesOutput: boolean;
  /** Whether every value of the field that is nearer was tried. Otherwise there may be a nearer one. */
  readonly isNearest: boolean;
}

/** The values of a number or a date, from the lowest that was tried to the highest. */
export interface Bands {
  /** The distance of neighbouring values that were tried: of a number as it is, of a date in days. */
  readonly step: number;
  /** Whether every value was tried. Otherwise a band may lie hidden in another one; edges are to the step. */
  readonly exact: boolean;
  readonly list: readonly Band[];
}

/** Neighbouring values with the same rule. */
export interface Band {
  readonly from: unknown;
  readonly to: unknown;
  /** Of an envelope, or `ERROR`. */
  readonly status: string;
  readonly matchedRule?: string;
}
