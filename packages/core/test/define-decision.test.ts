import Type from "typebox";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DecernError, defineDecision, describeDecision } from "../src/index.js";

const valid = {
  id: "a",
  version: "1.0.0",
  inputSchema: z.object({}),
  outputSchema: z.object({}),
  profileSchema: z.object({}),
  rules: [{ id: "r", when: () => true, emit: () => ({}) }],
};

const circular: Record<string, unknown> = {};
circular["self"] = circular;

const unreadable = {
  get secret(): never {
    throw new Error("must not be read");
  },
};

/** As untyped JavaScript may call it. */
function define(definition: object): unknown {
  return Reflect.apply(defineDecision, undefined, [definition]);
}

function problemsOf(definition: object): readonly string[] {
  try {
    define(definition);
  } catch (error) {
    if (!(error instanceof DecernError)) throw error;
    expect(error.code).toBe("INVALID_DECISION");
    for (const { path, message } of error.problems) expect(error.message).toContain(`${path}: ${message}`);
    return error.problems.map((problem) => problem.path);
  }
  return [];
}

describe("defineDecision", () => {
  it("names the decision in the error if it has an id", () => {
    expect(() => define({ ...valid, id: "loan", version: "" })).toThrow(
      /^Invalid decision: "loan"\n {2}- \/version: /,
    );
    for (const id of [1, "", undefined]) {
      expect(() => define({ ...valid, id })).toThrow(/^Invalid decision\n {2}- \/id: /);
    }
  });

  it.each([[undefined], [null], ["loan"], [[valid]]])(
    "refuses %j in the place of a definition",
    (definition) => {
      const work = () => Reflect.apply(defineDecision, undefined, [definition]);
      expect(work).toThrow(
        expect.objectContaining({
          code: "INVALID_DECISION",
          problems: [{ path: "", message: expect.any(String) }],
        }),
      );
    },
  );

  it("lists every problem at once, each with its path", () => {
    const rules = [
      { id: "", when: 1, emit: () => ({}) },
      { id: "x", when: () => true, emit: () => ({}), explian: "" },
    ];
    expect(
      problemsOf({ ...valid, id: "with space", version: " ", rules, inputSchema: {}, extra: 1 }),
    ).toEqual([
      "/extra",
      "/id",
      "/version",
      "/inputSchema",
      "/rules/0/id",
      "/rules/0/when",
      "/rules/1/explian",
    ]);
  });

  it.each([
    ["no rules", { rules: [] }, "/rules"],
    ["duplicate rule ids", { rules: [valid.rules[0], valid.rules[0]] }, "/rules/1/id"],
    ["an id of 101", { id: "a".repeat(101) }, "/id"],
    ["an empty id", { id: "" }, "/id"],
    ["an id with a slash", { id: "a/b" }, "/id"],
    ["the id ., which clients resolve before they send a path", { id: "." }, "/id"],
    ["the id .., likewise", { id: ".." }, "/id"],
    ["a meta that is not an object", { meta: [] }, "/meta"],
    ["a function in meta", { meta: { f: () => 1 } }, "/meta/f"],
    ["bytes in meta", { meta: { a: [1, { "b/c": new Uint8Array(1) }] } }, "/meta/a/1/b~1c"],
    ["a date in meta, which would be read as a string", { meta: { since: new Date(0) } }, "/meta/since"],
    ["a number in meta that JSON does not have", { meta: { a: { b: Number.NaN } } }, "/meta/a/b"],
    ["a bigint in meta", { meta: { n: 1n } }, "/meta/n"],
    ["a hole in a list in meta", { meta: { list: [1, undefined] } }, "/meta/list/1"],
    ["a meta that contains itself", { meta: circular }, "/meta/self"],
    ["a meta that cannot be read", { meta: { a: unreadable } }, "/meta/a"],
    ["a Date, which JSON cannot carry", { inputSchema: z.object({ at: z.date() }) }, "/inputSchema"],
    [
      "a transformation in the output",
      { outputSchema: z.object({ at: z.string().transform(Number) }) },
      "/outputSchema",
    ],
    ["a missing schema", { profileSchema: undefined }, "/profileSchema"],
  ])("refuses %s", (_name, change, path) => {
    expect(problemsOf({ ...valid, ...change })).toEqual([path]);
  });

  it("suggests wrapping a bare TypeBox type", () => {
    expect(() => define({ ...valid, inputSchema: Type.Object({ a: Type.String() }) })).toThrow(
      "typebox(type)",
    );
  });

  it.each(["a", "A.b_c~d-9", "__proto__", "constructor", "evaluate", "a".repeat(100)])(
    "accepts the id %s",
    (id) => {
      expect(defineDecision({ ...valid, id }).id).toBe(id);
    },
  );

  it("keeps what rules say they are for, and refuses a description that is no text", () => {
    const rule = { when: () => true, emit: () => ({}) };
    const rules = [
      { id: "first", description: "Lets all in", ...rule },
      { id: "second", ...rule },
    ];
    const decision = defineDecision({ ...valid, rules });
    expect([...decision.ruleDescriptions]).toEqual([["first", "Lets all in"]]);
    expect(problemsOf({ ...valid, rules: [{ id: "first", description: 7, ...rule }] })).toEqual([
      "/rules/0/description",
    ]);
  });

  it("copies: rules added later are not part of it, and it is frozen", () => {
    const rules = [...valid.rules];
    const meta = { tags: ["x"] };
    const decision = defineDecision({ ...valid, rules, meta });
    rules.push({ id: "late", when: () => true, emit: () => ({}) });
    meta.tags.push("y");
    expect(decision.ruleIds).toEqual(["r"]);
    expect(describeDecision(decision)).toEqual({ id: "a", version: "1.0.0", meta: { tags: ["x"] } });
    expect(Object.isFrozen(decision) && Object.isFrozen(decision.meta)).toBe(true);
  });
});
