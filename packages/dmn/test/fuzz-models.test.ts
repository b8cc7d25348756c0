import { readFileSync } from "node:fs";
import { DecernError, evaluate } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadDmn } from "../src/index.js";

const kit = new URL("tck/compliance-level-3/", import.meta.url);

const models = [
  "0004-lending",
  "0013-sort",
  "0085-decision-services",
  "0030-user-defined-functions",
  "0087-chapter-11-example",
].map((name) => readFileSync(new URL(`${name}/${name}.dmn`, kit), "utf8"));

/** Parts of a document: tags, attributes, texts. */
function partsOf(text: string): readonly string[] {
  return text.split(/(<[^>]*>)/);
}

const change = fc.oneof(
  fc.record({ kind: fc.constant("remove" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("copy" as const), at: fc.nat(), to: fc.nat() }),
  fc.record({
    kind: fc.constant("text" as const),
    at: fc.nat(),
    text: fc.constantFrom(
      "",
      "&lt;",
      "[1..",
      "for x in",
      "-",
      "null",
      "\u0000",
      "&unknown;",
      "<a>",
      "UNIQUE",
      "tLoan",
      "1e400",
    ),
  }),
  fc.record({
    kind: fc.constant("attribute" as const),
    at: fc.nat(),
    text: fc.constantFrom("", "#nothing", "tNothing", "Any", "__proto__"),
  }),
);

function changed(
  text: string,
  changes: readonly (typeof change extends fc.Arbitrary<infer Change> ? Change : never)[],
): string {
  const parts = [...partsOf(text)];
  for (const each of changes) {
    const at = each.at % parts.length;
    if (each.kind === "remove") parts.splice(at, 1);
    else if (each.kind === "copy") parts.splice(each.to % parts.length, 0, parts[at] ?? "");
    else if (each.kind === "text") parts[at] = each.text;
    else parts[at] = (parts[at] ?? "").replace(/"[^"]*"/, `"${each.text}"`);
  }
  return parts.join("");
}

describe("models that were damaged", () => {
  it("load, or are refused with problems; and what loads has a result or an error of ours", () => {
    let refused = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (model, changes) => {
          let decisions: ReturnType<typeof loadDmn> = [];
          try {
            decisions = loadDmn([{ name: "damaged.dmn", text: changed(model, changes) }], {
              logger: { error() {} },
            });
          } catch (error) {
            if (!(error instanceof DecernError)) throw error;
            expect(error.code).toBe("INVALID_DECISION");
            expect(error.problems.length).toBeGreaterThan(0);
            refused += 1;
          }
          for (const decision of decisions) {
            try {
              evaluate(decision, {});
            } catch (error) {
              if (!(error instanceof DecernError)) throw error;
            }
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(20);
  });

  it("entities that expand are refused", () => {
    const text = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><definitions>&b;</definitions>`;
    expect(() => loadDmn([{ name: "bomb.dmn", text }])).toThrow(/document type/);
  });
});
