import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createService, createSingleService, decisionPath, requestIdFrom } from "../src/host.js";
import { normalizePrefix } from "../src/http/host-options.js";
import { DecernError, evaluate } from "../src/index.js";
import { checkedOptions, kinds, oneAtMost, option, requiredOption } from "../src/options.js";
import { isRequestId } from "../src/service/request-view.js";
import { createGeneration } from "../src/tools.js";
import { access, loan } from "./fixtures.js";
import { targetOf } from "./fixtures-http.js";

function problemsOf(work: () => unknown): readonly { path: string; message: string }[] {
  try {
    work();
  } catch (error) {
    if (error instanceof DecernError) return error.problems;
    throw error;
  }
  return [];
}

describe("createGeneration", () => {
  it("keeps the decisions by id, each with its default profile", () => {
    const catalogue = createGeneration([loan, access], { loan: { minScore: 900 } });
    expect([...catalogue.decisions.keys()]).toEqual(["loan", "access"]);
    const [bound] = catalogue.defaults;
    expect(bound && evaluate(bound, { score: 800 }).meta).toMatchObject({ matchedRule: "too-low" });
  });

  it("lists every problem at once", () => {
    const notDecision = {} as never;
    const profiles = { nobody: {}, loan: { minScore: "x" } };
    expect(
      problemsOf(() => createGeneration([loan, loan, notDecision], profiles)).map(({ path }) => path),
    ).toEqual(["/decisions/1", "/decisions/2", "/profiles/nobody", "/profiles/loan/minScore"]);
  });

  it("reads only own keys of profiles: a decision named like a method of Object has none", () => {
    const named = { ...loan, id: "constructor" };
    const [bound] = createGeneration([named]).defaults;
    expect(bound && evaluate(bound, { score: 600 }).meta).toMatchObject({ matchedRule: "standard" });
  });
});

describe("the options of a host", () => {
  it("are checked together, each problem reported once, with its path", () => {
    const options = { decisions: [loan, loan], profiles: { loan: { minScore: "x" } } };
    const found = [{ path: "/decisions/1", message: "was found before" }];
    expect(problemsOf(() => createService("host", options, { problems: found }))).toEqual([
      ...found,
      expect.objectContaining({ path: "/profiles/loan/minScore" }),
    ]);
  });

  it("name the place in a fixed profile that breaks its schema", () => {
    const profile = JSON.parse('{"minScore":"x"}');
    const prepare = () => createSingleService("host", { decision: loan, profile });
    expect(problemsOf(prepare)).toMatchObject([{ path: "/profile/minScore" }]);
  });

  it("give the decision its fixed profile", () => {
    const service = createSingleService("host", { decision: loan, profile: { minScore: 900 } });
    const { served } = targetOf(service.catalogue.current);
    expect(evaluate(served.choice.decision, { score: 800 }).meta).toMatchObject({
      matchedRule: "too-low",
    });
  });
});

describe("checkedOptions", () => {
  it("refuses unknown, missing and contradictory options", () => {
    const rows = {
      decision: requiredOption(kinds.object()),
      profile: option(kinds.object()),
      profileResolver: option(kinds.callback<() => unknown>()),
    };
    const check = (options: object) =>
      checkedOptions("middleware", options, rows, [oneAtMost("profile", "profileResolver")]);
    const options = { profile: {}, profileResolver: () => ({}), profle: 1 };
    expect(problemsOf(() => check(options)).map(({ message }) => message)).toEqual([
      "is unknown; valid names are decision, profile, profileResolver",
      "is required",
      "profile and profileResolver contradict: give one",
    ]);
    expect(() => check({ decision: {}, profile: undefined, profileResolver() {} })).not.toThrow();
  });
});

describe("paths", () => {
  it("normalizes every spelling of a prefix", () => {
    // Clients resolve `.` and `..` before sending a path.
    const segment = fc
      .stringMatching(/^[A-Za-z0-9._~-]{1,8}$/)
      .filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 3 }),
        fc.boolean(),
        fc.boolean(),
        (segments, before, after) => {
          const text = `${before ? "/" : ""}${segments.join("/")}${after ? "/" : ""}`;
          const normal = normalizePrefix(text);
          expect(normal).toBe(segments.map((one) => `/${one}`).join(""));
          expect(normalizePrefix(normal)).toBe(normal);
          expect(decisionPath(text, "x")).toBe(`${normal}/x`);
        },
      ),
    );
  });

  it.each([":id", "a*", "a b", "a?", "%2e"])(
    "refuses the prefix %s, which a router would read as a pattern",
    (prefix) => {
      expect(() => normalizePrefix(prefix)).toThrow(DecernError);
    },
  );
});

describe("requestIdFrom", () => {
  it("keeps a valid id, and replaces anything else with a UUID", () => {
    expect(requestIdFrom("abc.DEF_1-2")).toBe("abc.DEF_1-2");
    for (const bad of ["", "a b", "a\n", "é", "x".repeat(129), undefined, ["a", "b"], 7]) {
      expect(requestIdFrom(bad)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    }
    expect(isRequestId("x".repeat(128))).toBe(true);
  });
});
