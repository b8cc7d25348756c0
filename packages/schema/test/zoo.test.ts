import type { JsonSchema } from "@decern/core";
import { type JsonSchemaDialect, mapSubschemas } from "@decern/core/schema";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { toJsonSchema, typebox } from "../src/index.js";
import { judge } from "./judges.js";
import { zoo } from "./zoo.js";

const dialects: readonly JsonSchemaDialect[] = ["draft-07", "draft-2020-12"];

/** A schema and all schemas in it. */
function subschemas(schema: JsonSchema): readonly JsonSchema[] {
  const all = [schema];
  mapSubschemas(schema, (inner) => {
    all.push(...subschemas(inner));
    return inner;
  });
  return all;
}

function allowsObjects({ type }: JsonSchema): boolean {
  return type === "object" || (Array.isArray(type) && type.includes("object"));
}

describe.each(Object.entries(zoo))("%s", (_name, { type, valid, invalid }) => {
  const { validate } = typebox(type)["~standard"];

  it("is validated", () => {
    for (const value of valid) expect(validate(value), JSON.stringify(value)).not.toHaveProperty("issues");
    for (const value of invalid) expect(validate(value), JSON.stringify(value)).toHaveProperty("issues");
  });

  it("has the same issues without a wrapper, where valid values are returned as they are", () => {
    const { issuesOf } = validate;
    if (issuesOf === undefined) return expect(JSON.stringify(type)).toContain('"default"');
    for (const value of valid) {
      expect(issuesOf(value), JSON.stringify(value)).toBeUndefined();
      expect(validate(value)).toHaveProperty("value", value);
    }
    for (const value of invalid)
      expect(issuesOf(value), JSON.stringify(value)).toEqual(Reflect.get(validate(value), "issues"));
  });

  it.each(dialects)("means the same when exported to %s", (dialect) => {
    const accepts = judge(toJsonSchema(type, "input", dialect), dialect);
    for (const value of valid) expect(accepts(structuredClone(value)), JSON.stringify(value)).toBe(true);
    for (const value of invalid) expect(accepts(structuredClone(value)), JSON.stringify(value)).toBe(false);
  });

  it("conforms to the meta-schemas of the drafts", () => {
    const draft07 = new Ajv({ strict: false });
    expect(draft07.validateSchema({ ...toJsonSchema(type) }), draft07.errorsText()).toBe(true);
    const draft2020 = new Ajv2020({ strict: false });
    const exported = { ...toJsonSchema(type, "input", "draft-2020-12") };
    expect(draft2020.validateSchema(exported), draft2020.errorsText()).toBe(true);
  });

  it("has no nested `$schema`, and `required` on every object", () => {
    for (const dialect of dialects) {
      const schema = toJsonSchema(type, "input", dialect);
      expect(JSON.stringify(schema)).not.toMatch(/"\$schema"|"\$id":"/);
      for (const object of subschemas(schema).filter(allowsObjects)) {
        expect(object).toHaveProperty("required");
        expect(object).toHaveProperty("properties");
      }
    }
  });
});
