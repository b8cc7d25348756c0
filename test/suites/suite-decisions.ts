import { type Decision, defineDecision, type Schema } from "../../packages/core/src/index.js";
import type { SchemaIssue } from "../../packages/core/src/schema.js";

// Handwritten schemas, because the suite is outside the packages and has no schema library.
function objectSchema<T>(
  properties: Record<string, "string" | "number">,
  required: readonly string[],
): Schema<T, T> {
  const json = {
    type: "object",
    properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])),
    required,
  };
  return {
    "~standard": {
      version: 1,
      vendor: "suite",
      validate: (value) => {
        const issues: SchemaIssue[] = [];
        if (typeof value !== "object" || value === null || Array.isArray(value)) {
          return { issues: [{ message: "must be object", pointer: "", keyword: "type" }] };
        }
        const object: Record<string, unknown> = { ...value };
        for (const name of required) {
          if (!(name in object))
            issues.push({ message: "is required", pointer: `/${name}`, keyword: "required" });
        }
        for (const [name, type] of Object.entries(properties)) {
          if (name in object && typeof object[name] !== type) {
            issues.push({ message: `must be ${type}`, pointer: `/${name}`, keyword: "type" });
          }
        }
        return issues.length > 0 ? { issues } : { value: structuredClone(value) as T };
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

interface ProbeInput {
  readonly case: string;
}

/** Ends as its input's `case` selects. */
export const probe = defineDecision({
  id: "probe",
  version: "2.1.0",
  inputSchema: objectSchema<ProbeInput>({ case: "string" }, ["case"]),
  outputSchema: objectSchema<{ readonly answer: string }>({ answer: "string" }, ["answer"]),
  profileSchema: objectSchema<{ readonly answer?: string }>({ answer: "string" }, []),
  rules: [
    {
      id: "throws",
      when: (input) => {
        if (input.case === "throws") throw new Error("secret of the rule");
        return false;
      },
      emit: () => ({ answer: "never" }),
    },
    {
      id: "breaks-its-output",
      when: (input) => input.case === "breaks",
      emit: () => JSON.parse('{"answer":13}'),
    },
    {
      id: "matches",
      when: (input) => input.case === "matches",
      emit: (_input, profile) => ({ answer: profile.answer ?? 'text with "quotes" and ünïcode \u2028' }),
      explain: (input) => `The case is "${input.case}"`,
    },
  ],
});

/** Requires a profile. */
export const demanding = defineDecision({
  id: "demanding",
  version: "1",
  inputSchema: objectSchema<ProbeInput>({ case: "string" }, ["case"]),
  outputSchema: objectSchema<{ readonly answer: string }>({ answer: "string" }, ["answer"]),
  profileSchema: objectSchema<{ readonly limit: number }>({ limit: "number" }, ["limit"]),
  rules: [{ id: "always", when: () => true, emit: () => ({ answer: "yes" }) }],
});

export const suiteDecisions: readonly Decision[] = [probe];

/** Follows a value to its full depth, as recursive schemas and rules do. */
function levelsOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

export const anything: Schema = {
  "~standard": {
    version: 1,
    vendor: "suite",
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ({}), output: () => ({}) },
  },
};

/** Accepts everything, and uses the stack for each level: in its rule, in its output, and in the reply. */
export const deepDecision: Decision = defineDecision({
  id: "deep",
  version: "1.0.0",
  inputSchema: anything,
  outputSchema: {
    "~standard": {
      ...anything["~standard"],
      validate: (value) =>
        levelsOf(value) > 0
          ? { value }
          : { issues: [{ message: "must be object", pointer: "", keyword: "type" }] },
    },
  },
  profileSchema: anything,
  rules: [
    {
      id: "echo",
      when: (input) => levelsOf(input) >= 0,
      emit: (input) => ({ echo: input, levels: levelsOf(input) }),
    },
  ],
});
