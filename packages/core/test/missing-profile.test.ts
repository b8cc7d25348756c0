import { type } from "arktype";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createService } from "../src/host.js";
import { DecernError, type Decision, defineDecision, type Schema, withProfile } from "../src/index.js";

function needing(id: string, profileSchema: Schema): Decision {
  const inputSchema = z.object({});
  const rules = [{ id: "r", when: () => true, emit: () => ({}) }];
  return defineDecision({ id, version: "1", inputSchema, outputSchema: z.object({}), profileSchema, rules });
}

const limit = z.object({ limit: z.number() });
const json = { input: () => ({}), output: () => ({}) };

function schemaThat(validate: () => never | Promise<never>): Schema {
  return { "~standard": { version: 1, vendor: "test", validate, jsonSchema: json } };
}

function problemsOf(decisions: readonly Decision[], profiles = {}): readonly unknown[] {
  try {
    createService("host", { decisions, profiles });
  } catch (error) {
    if (error instanceof DecernError) return error.problems;
    throw error;
  }
  return [];
}

describe("a profile that the host forgot", () => {
  it("is reported with its path and the schema's problems, for every decision at once", () => {
    const arktype = needing("b~1", type({ rate: "number" }));
    expect(problemsOf([needing("a", limit), arktype])).toEqual([
      { path: "/profiles/a", message: expect.stringContaining('decision "a"') },
      { path: "/profiles/b~01", message: expect.stringContaining("/rate") },
    ]);
  });

  it("is not reported if the schema fills in defaults, the host sets one, or the decision already has one", () => {
    const defaults = z.object({ limit: z.number().default(1) });
    const own = withProfile(needing("c", limit), { limit: 1 });
    expect(problemsOf([needing("a", defaults), needing("b", limit), own], { b: { limit: 1 } })).toEqual([]);
  });

  it("is reported once if the host sets an invalid one", () => {
    expect(problemsOf([needing("a", limit)], { a: { limit: "1" } })).toMatchObject([
      { path: "/profiles/a/limit" },
    ]);
  });

  it("is not reported for a schema that throws or returns a promise, which is the decision's fault", () => {
    const throws = schemaThat(() => {
      throw new Error("a fault");
    });
    const rejects = schemaThat(() => Promise.reject(new Error("a fault")));
    expect(problemsOf([needing("a", throws), needing("b", rejects)])).toEqual([]);
  });

  it("is a warning on the console if calls may carry one and there is no logger", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    try {
      const decisions = [needing("a", limit), needing("b", limit)];
      createService("host", { decisions }, { override: "replace" });
      expect(warn.mock.calls).toEqual([
        [
          expect.stringMatching(/\/profiles\/a .*\/profiles\/b /),
          {
            problems: [{ path: "/profiles/a" }, { path: "/profiles/b" }].map((one) =>
              expect.objectContaining(one),
            ),
          },
        ],
      ]);
    } finally {
      warn.mockRestore();
    }
  });
});
