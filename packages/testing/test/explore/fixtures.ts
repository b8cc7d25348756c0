import { type Decision, defineDecision, type Schema } from "@decern/core";
import { z } from "zod";
import type { Exploration } from "../../src/index.js";

/** What somebody who reads a decision knows about it: the truth that a search is held against. */
export interface Truth {
  /** Rules that no valid input reaches, each with the rules that decide in its place. */
  readonly unreached?: Readonly<Record<string, readonly string[]>>;
  /** Pairs of rules that match the same input, `first second`; without a last rule that matches everything. */
  readonly overlaps?: readonly string[];
  /** Whether there is an input that no rule matches. */
  readonly gap?: boolean;
  /** How many faults of their own kind there are. */
  readonly faults?: number;
}

export interface Planted extends Truth {
  readonly decision: Decision;
}

type When<Input> = (input: Input) => boolean;

const answer = z.object({ answer: z.string() });

/** A decision that answers with the name of the rule that matched. */
export function planted<Input>(
  id: string,
  inputSchema: Schema<unknown, Input>,
  rules: Readonly<Record<string, When<Input>>>,
  truth: Truth,
): Planted {
  return { ...truth, decision: decisionOf(id, inputSchema, rules) };
}

export function decisionOf<Input>(
  id: string,
  inputSchema: Schema<unknown, Input>,
  rules: Readonly<Record<string, When<Input>>>,
): Decision {
  return defineDecision({
    id,
    version: "1.0.0",
    inputSchema,
    outputSchema: answer,
    profileSchema: z.object({}),
    rules: Object.entries(rules).map(([id, when]) => ({
      id,
      // The text of this function holds no literal of `when`: thresholds are hidden.
      when: (input: Input) => when(input),
      emit: () => ({ answer: id }),
    })),
  });
}

/** Every input of a report. */
export function witnessesOf(found: Exploration): readonly unknown[] {
  const { rules, overlaps, noMatch, faults, boundaries, steps } = found;
  return [
    ...rules.flatMap(({ witness }) => (witness === undefined ? [] : [witness])),
    ...overlaps.map(({ witness }) => witness),
    ...faults.map(({ witness }) => witness),
    ...[...boundaries, ...steps].flatMap(({ witnesses }) => witnesses),
    ...(noMatch === undefined ? [] : [noMatch]),
  ].map(({ input }) => input);
}
