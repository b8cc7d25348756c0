import { type Decision, defineDecision, type Schema } from "@decern/core";

/** A schema that takes what passes a check. */
function schemaOf<T>(takes: (value: unknown) => value is T, properties: object = {}): Schema<T, T> {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => (takes(value) ? { value } : { issues: [{ message: "is not right" }] }),
      jsonSchema: { input: () => ({ properties }), output: () => ({ properties }) },
    },
  };
}

export const anything = schemaOf((value): value is unknown => value !== "nothing at all");

interface Named {
  readonly name: string;
}

function isNamed(value: unknown): value is Named {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

/** Greets by name: its output and its explanation have the input's text in them. */
export const greeting = defineDecision({
  id: "greeting",
  version: "1.0.0",
  inputSchema: schemaOf(isNamed),
  outputSchema: anything,
  profileSchema: anything,
  rules: [
    {
      id: "throws",
      when: ({ name }) => {
        if (name === "throw") throw new Error(`secret of ${name}`);
        return false;
      },
      emit: () => ({}),
    },
    {
      id: "hello",
      when: ({ name }) => name !== "Nobody",
      emit: ({ name }) => ({ text: `Hello ${name}` }),
      explain: ({ name }) => `Somebody is called ${name}`,
    },
  ],
});

/** Takes any input, and returns it. */
export const echo = defineDecision({
  id: "echo",
  version: "1.0.0",
  inputSchema: anything,
  outputSchema: anything,
  profileSchema: anything,
  rules: [{ id: "always", when: () => true, emit: (input) => ({ input }), explain: explainAll }],
});

/** Uses the greeting, and says what it said. */
export const welcome = defineDecision({
  id: "welcome",
  version: "2.0.0",
  uses: [greeting],
  inputSchema: schemaOf(isNamed),
  outputSchema: anything,
  profileSchema: anything,
  rules: [
    {
      id: "greeted",
      when: ({ name }, _profile, context) => context.evaluate(greeting, { name }).status === "OK",
      emit: () => ({ welcome: true }),
    },
  ],
});

interface LoanList {
  readonly note?: string;
  readonly guarantors: Readonly<Record<string, { readonly income: number }>>;
}

function isLoanList(value: unknown): value is LoanList {
  return typeof value === "object" && value !== null && "guarantors" in value;
}

/** Says the name of the first guarantor, which is the name of a member of its input. */
export const loanList = defineDecision({
  id: "loan-list",
  version: "1.0.0",
  inputSchema: schemaOf(isLoanList, {
    guarantors: { additionalProperties: { properties: { income: { type: "number" } } } },
    note: { type: "string" },
  }),
  outputSchema: schemaOf((value): value is unknown => value !== undefined, {
    bestGuarantor: { type: "string" },
  }),
  profileSchema: anything,
  rules: [
    {
      id: "guaranteed",
      when: () => true,
      emit: ({ guarantors }) => ({ bestGuarantor: Object.keys(guarantors)[0], income: "stays" }),
      explain: ({ guarantors }) => `Guaranteed by ${Object.keys(guarantors)[0]}`,
    },
  ],
});

interface Limited {
  readonly limit?: number;
}

function isLimited(value: unknown): value is Limited {
  return (
    typeof value === "object" && value !== null && (!("limit" in value) || typeof value.limit === "number")
  );
}

/** A version of a decision that takes profiles with a number as their limit. */
export const limited = (version: string) =>
  defineDecision({
    id: "limited",
    version,
    inputSchema: anything,
    outputSchema: anything,
    profileSchema: schemaOf(isLimited),
    rules: [{ id: "always", when: () => true, emit: (_input, { limit = 0 }) => ({ version, limit }) }],
  });

export const decisions: readonly Decision[] = [greeting, echo, welcome];

/** Names every text and number of an input, the texts in upper case. */
function explainAll(input: unknown): string {
  const texts: string[] = [];
  const seen = new Set<unknown>();
  const add = (value: unknown): void => {
    if (typeof value === "string") texts.push(value.toUpperCase());
    else if (typeof value === "number") texts.push(`${value}`);
    else if (typeof value === "object" && value !== null && !seen.has(value) && seen.add(value))
      for (const item of Object.values(value)) add(item);
  };
  add(input);
  return texts.join(" and ");
}
