import type { JsonSchema } from "@decern/core";
import type { JsonSchemaDialect } from "@decern/core/schema";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** Compiles an exported schema with an independent validator. */
export function judge(schema: JsonSchema, dialect: JsonSchemaDialect): (value: unknown) => boolean {
  const ajv = create(dialect);
  addFormats.default(ajv);
  const check = ajv.compile({ ...schema });
  return (value) => check(value);
}

function create(dialect: JsonSchemaDialect): Ajv {
  // JSON has neither prototypes nor infinity, but AJV does not assume JSON by default.
  const options = { strict: false, strictNumbers: true, ownProperties: true };
  switch (dialect) {
    case "draft-07":
      return new Ajv(options);
    case "draft-2020-12":
      return new Ajv2020(options);
  }
}
