import type { Schema } from "@decern/core";
import { defineDecision } from "@decern/core";

/** A schema that takes what passes a check. */
export function schemaOf<T>(takes: (value: unknown) => value is T, message: string): Schema<T, T> {
  const jsonSchema = { input: () => ({}), output: () => ({}) };
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => (takes(value) ? { value } : { issues: [{ message }] }),
      jsonSchema,
    },
  };
}

/** A schema that takes anything. */
export const anything = schemaOf((value: unknown): value is unknown => true, "");

interface Named {
  readonly name: string;
}

const named = schemaOf(
  (value: unknown): value is Named =>
    typeof value === "object" && value !== null && "name" in value && typeof value.name === "string",
  "must have a name",
);

/** Greets by name: its output and its explanation have the input's text in them. Nobody is called Nobody. */
export const greeting = defineDecision({
  id: "greeting",
  version: "1.0.0",
  inputSchema: named,
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
      emit: ({ name }) => ({ text: `Hello ${name}`, length: name.length }),
      explain: ({ name }) => `Somebody is called ${name}`,
    },
  ],
});
