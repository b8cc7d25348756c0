import { defineDecision, type Schema } from "@decern/core";

const schema = <T>(json: Readonly<Record<string, unknown>>): Schema<T, T> => ({
  "~standard": {
    version: 1,
    vendor: "test",
    jsonSchema: { input: () => json, output: () => json },
    validate: (value: unknown) => ({ value: value as T }),
  },
});

/** What a rule of {@link canRead} sees. */
export interface Asked {
  readonly subject: string;
}

/** Its subject's id says how an evaluation ends. */
export const canRead = defineDecision({
  id: "can-read",
  version: "1.0.0",
  inputSchema: schema<Asked>({ type: "object" }),
  outputSchema: schema<{ allowed: unknown }>({
    type: "object",
    properties: { allowed: { type: "boolean" } },
  }),
  profileSchema: schema<object>({ type: "object" }),
  rules: [
    {
      id: "throws",
      when: ({ subject }) => {
        if (subject === "throws") throw new Error("secret");
        return false;
      },
      emit: () => ({ allowed: true }),
    },
    { id: "odd", when: ({ subject }) => subject === "odd", emit: () => ({ allowed: "true" }) },
    { id: "yes", when: ({ subject }) => subject === "yes", emit: () => ({ allowed: true }) },
    { id: "no", when: ({ subject }) => subject === "no", emit: () => ({ allowed: false }) },
  ],
});
