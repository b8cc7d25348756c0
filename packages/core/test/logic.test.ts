import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  DecernError,
  defineDecision,
  evaluate,
  type Logic,
  type LogicDecision,
  withProfile,
} from "../src/index.js";
import { probe, program } from "../src/tools.js";

const hash = `sha256:${"0".repeat(64)}`;
const schemas = {
  inputSchema: z.object({ weight: z.number() }),
  outputSchema: z.object({ fee: z.number() }),
  profileSchema: z.object({ limit: z.number().default(10) }),
};

/** Two rules of which both may be hit: `light` up to the limit, `any` always. */
function feeLogic(parts: Partial<Logic> = {}, decided?: () => LogicDecision | undefined): Logic {
  return {
    content: { hash, mediaType: "application/json", document: { rows: [10] } },
    rules: [{ id: "light", description: "Small parcels" }, { id: "any" }],
    bind: (profile) => {
      const { limit } = schemas.profileSchema.parse(profile);
      const hits = (input: unknown) => {
        const { weight } = schemas.inputSchema.parse(input);
        const all = [
          { ruleId: "light", explanation: `up to ${limit}` },
          { ruleId: "any", explanation: "always" },
        ];
        return weight <= limit ? all : weight < 100 ? all.slice(1) : [];
      };
      return {
        thresholds: [{ path: "/weight", values: [limit, 100], isComplete: true }],
        hits,
        decide: (input) => {
          if (decided !== undefined) return decided();
          const found = hits(input);
          const emitted = { fee: found.length };
          return found.length === 0
            ? undefined
            : { emitted, hits: found, explanation: `${found.length} hits` };
        },
      };
    },
    ...parts,
  };
}

function decisionOf(logic: Logic) {
  return defineDecision({ id: "fee", version: "1", ...schemas, logic });
}

describe("a decision of logic", () => {
  const fee = decisionOf(feeLogic());

  it("returns what was emitted, with hits only as its trace, and the first as the rule that matched", () => {
    const now = new Date("2026-01-02T03:04:05.678Z");
    expect(evaluate(fee, { weight: 4 }, {}, { now })).toEqual({
      status: "OK",
      data: { fee: 2 },
      meta: {
        decisionId: "fee",
        decisionVersion: "1",
        matchedRule: "light",
        explanation: "2 hits",
        evaluatedAt: "2026-01-02T03:04:05.678Z",
        evaluatedRules: [
          { ruleId: "light", matched: true, explanation: "up to 10" },
          { ruleId: "any", matched: true, explanation: "always" },
        ],
      },
    });
  });

  it("is NO_MATCH with an empty trace where nothing is hit", () => {
    expect(evaluate(fee, { weight: 100 })).toMatchObject({
      status: "NO_MATCH",
      meta: { evaluatedRules: [] },
    });
  });

  it("binds a host's profile, and each that a caller sends", () => {
    const strict = withProfile(fee, { limit: 3 });
    expect(evaluate(strict, { weight: 4 })).toMatchObject({ meta: { matchedRule: "any" } });
    expect(evaluate(strict, { weight: 4 }, { limit: 5 })).toMatchObject({ meta: { matchedRule: "light" } });
    const thresholdsOf = (profile?: unknown) => strict[program].boundLogic?.(profile)?.thresholds;
    expect(thresholdsOf()).toEqual([{ path: "/weight", values: [3, 100], isComplete: true }]);
    expect(thresholdsOf({ limit: 5 })).toMatchObject([{ values: [5, 100] }]);
    expect(strict[program].boundLogic?.({ limit: "x" })).toBeUndefined();
  });

  it("binds a profile that many calls share once", () => {
    let bindings = 0;
    const logic = feeLogic();
    const bind = (profile: unknown) => {
      bindings += 1;
      return logic.bind(profile);
    };
    const counted = decisionOf({ ...logic, bind });
    const shared = { limit: 3 };
    counted[program].share(shared);
    for (let call = 0; call < 5; call += 1) evaluate(counted, { weight: 4 }, shared);
    expect(bindings).toBe(1);
  });

  it("validates input and profile as rules do", () => {
    expect(evaluate(fee, { weight: "4" } as unknown)).toMatchObject({ status: "INVALID_INPUT" });
    expect(evaluate(fee, { weight: 4 }, { limit: "x" } as unknown)).toMatchObject({
      status: "INVALID_PROFILE",
    });
  });

  it("lists its rules, and the hash and document of its content", () => {
    expect(fee).toMatchObject({ ruleIds: ["light", "any"], contentHash: hash });
    expect(fee.ruleDescriptions).toEqual(new Map([["light", "Small parcels"]]));
    expect(fee[program].content?.document).toEqual({ rows: [10] });
  });

  it("writes the text of its results", () => {
    const result = evaluate(fee, { weight: 4 });
    expect(fee[program].stringify(result)).toBe(JSON.stringify(result));
    expect(JSON.parse(fee[program].canonicalText(result) ?? "")).toEqual(result);
  });

  it("tells which rules an input hits", () => {
    const probed = probe({ decision: fee, input: { weight: 50 }, epochMs: 0 });
    expect(probed).toMatchObject({
      rules: [
        { ruleId: "light", outcome: "missed" },
        { ruleId: "any", outcome: "matched", data: { fee: 1 } },
      ],
    });
  });
});

describe("errors of logic", () => {
  const named = new DecernError("EVALUATION_FAILED", { detail: 'rows "a" and "b" overlap' });
  const hits = [{ ruleId: "any", explanation: "always" }];
  const throwing = (thrown: unknown) => () => {
    throw thrown;
  };
  it.each([
    { what: "throws", decided: throwing(new Error("secret")), message: "its logic threw" },
    {
      what: "throws an error that says what to do",
      decided: throwing(named),
      message: 'rows "a" and "b" overlap',
    },
    {
      what: "emits what breaks the schema",
      decided: () => ({ emitted: {}, hits, explanation: "" }),
      message: 'rule "any"',
    },
    {
      what: "hits nothing",
      decided: () => ({ emitted: { fee: 1 }, hits: [], explanation: "" }),
      message: "no hits",
    },
  ])("fails the evaluation if it $what", ({ decided, message }) => {
    const failing = decisionOf(feeLogic({}, decided));
    expect(() => evaluate(failing, { weight: 4 })).toThrow(
      expect.objectContaining({ code: "EVALUATION_FAILED", message: expect.stringContaining(message) }),
    );
  });

  it("are all reported when it is defined", () => {
    const wrong = {
      content: { hash: "x", mediaType: "", document: { at: new Date() } },
      rules: [{ id: "" }, { id: "a" }, { id: "a" }],
    };
    const paths = [
      "/logic/bind",
      "/logic/content/hash",
      "/logic/content/mediaType",
      "/logic/content/document/at",
      "/logic/rules/0/id",
      "/logic/rules/2/id",
    ];
    expect(() => decisionOf(wrong as unknown as Logic)).toThrow(
      expect.objectContaining({
        code: "INVALID_DECISION",
        problems: paths.map((path) => expect.objectContaining({ path })),
      }),
    );
  });
});

it("takes rules or logic, and not both", () => {
  const both = {
    id: "fee",
    version: "1",
    ...schemas,
    logic: feeLogic(),
    rules: [{ id: "r", when: () => true, emit: () => ({ fee: 1 }) }],
  };
  // @ts-expect-error -- one of them
  expect(() => defineDecision(both)).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ path: "/logic" })] }),
  );
  // @ts-expect-error -- one of them
  expect(() => defineDecision({ id: "fee", version: "1", ...schemas })).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ path: "/rules" })] }),
  );
});
