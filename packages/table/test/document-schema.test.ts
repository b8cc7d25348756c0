import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkTable } from "../src/index.js";
import { document, shipping } from "./support/shipping.js";

const schema = JSON.parse(readFileSync(new URL("../table.schema.json", import.meta.url), "utf8"));
const validate = new Ajv({ strict: true, allowUnionTypes: true, strictTypes: false }).compile(schema);

type Members = Record<string, unknown>;

const set =
  (name: string, value: unknown) =>
  (given: Members): void => {
    given[name] = value;
  };

/** What can be wrong with a document's form, each in one place. */
const mutations: readonly (readonly [what: string, change: (given: Members) => void])[] = [
  ...["table", "version", "hitPolicy", "inputs", "outputs", "rules"].map(
    (name) => [`no ${name}`, (given: Members) => void delete given[name]] as const,
  ),
  ["an unknown member", set("tabel", "x")],
  ["a blank version", set("version", " ")],
  ["a number for a version", set("version", 1)],
  ["an unknown policy", set("hitPolicy", "X")],
  ["no outputs", set("outputs", [])],
  ["a column without a path", set("inputs", [{ label: "a" }])],
  ["an unknown member of a column", set("inputs", [{ path: "zone", type: "text" }])],
  ["a text for a column", set("inputs", ["zone"])],
  ["an empty priority", set("outputs", [{ path: "fee", priority: [] }])],
  ["a repeated priority", set("outputs", [{ path: "fee", priority: [1, 1] }])],
  ["null in a priority", set("outputs", [{ path: "fee", priority: [null] }])],
  ["rules that are no list", set("rules", {})],
  ["a row without conditions", set("rules", [{ id: "a", then: [] }])],
  ["a row without results", set("rules", [{ id: "a", if: [] }])],
  ["an unknown member of a row", set("rules", [{ id: "a", if: [], then: [], when: "" }])],
  ["a number for an id", set("rules", [{ id: 1, if: [], then: [] }])],
  ["the id of the default", set("rules", [{ id: "Default", if: [], then: [] }])],
  ["an object for a cell", set("rules", [{ id: "a", if: [{}], then: [] }])],
  ["a number for a note", set("rules", [{ id: "a", if: [], then: [], note: 1 }])],
  ["a text for a default", set("default", "air")],
];

function errorsOf(given: unknown): number {
  const { problems } = checkTable(shipping, { name: "fee.json", document: given });
  return problems.filter(({ severity }) => severity === "error").length;
}

describe("the published JSON Schema, read by AJV", () => {
  it("accepts what is read", () => {
    expect(validate(document)).toBe(true);
    const { document: canonical } = checkTable(shipping, { name: "fee.json", document });
    expect(validate(canonical)).toBe(true);
  });

  it.each(mutations)("refuses %s, as reading does", (_what, change) => {
    const changed: Members = structuredClone(document);
    change(changed);
    expect(validate(changed)).toBe(false);
    expect(errorsOf(changed)).toBeGreaterThan(0);
  });

  it("refuses nothing that is read", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            ...Object.fromEntries(
              Object.entries(document).map(([name, value]) => [
                name,
                fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, fc.jsonValue()),
              ]),
            ),
          }),
        ),
        (given) => {
          if (!validate(given)) expect(errorsOf(given)).toBeGreaterThan(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});
