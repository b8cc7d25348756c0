import type { JsonSchema, Schema } from "@decern/core";

/** A schema of the port made of plain JSON Schemas: what a vendor would return for each dialect. */
export function plainSchema(
  dialects: { readonly [dialect: string]: JsonSchema },
  output: { readonly [dialect: string]: JsonSchema } = dialects,
): Schema<unknown, unknown> {
  const answer =
    (schemas: { readonly [dialect: string]: JsonSchema }) =>
    ({ target }: { target: string }): Record<string, unknown> => {
      const schema = schemas[target];
      if (schema === undefined) throw new Error(`target ${target} is not supported`);
      return structuredClone(schema);
    };
  return {
    "~standard": {
      version: 1,
      vendor: "plain",
      validate: (value) => ({ value }),
      jsonSchema: { input: answer(dialects), output: answer(output) },
    },
  };
}
