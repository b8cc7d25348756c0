import type { JsonSchema, Schema } from "@decern/core";
import { Ajv } from "ajv";
import type { Static, TSchema } from "typebox";

/** A schema of TypeBox, checked by AJV, as a package of its own makes them. */
export function typeboxSchema<Type extends TSchema>(type: Type): Schema<unknown, Static<Type>> {
  const isValid = new Ajv({
    strict: false,
    formats: { date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/ },
  }).compile<Static<Type>>(type);
  const plain: JsonSchema = JSON.parse(JSON.stringify(type));
  return {
    "~standard": {
      version: 1,
      vendor: "typebox",
      validate: (value) => (isValid(value) ? { value } : { issues: [{ message: "is not valid" }] }),
      jsonSchema: { input: () => plain, output: () => plain },
    },
  };
}
