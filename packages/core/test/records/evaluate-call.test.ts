import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createService } from "../../src/host.js";
import { defineDecision } from "../../src/index.js";
import { evaluateCall } from "../../src/tools.js";
import { version } from "../catalogue/hosted.js";
import { loan } from "../fixtures.js";

const epochMs = Date.parse("2026-03-03T09:30:00.000Z");
const earlier = { epochMs, requestId: "req-3" };

const used1 = version("1.0.0");

/** Its answer tells what its rules were told. */
const telling = defineDecision({
  id: "telling",
  version: "1",
  inputSchema: z.unknown(),
  outputSchema: z.unknown(),
  profileSchema: z.object({ limit: z.number().default(1) }),
  uses: [used1],
  rules: [
    {
      id: "r",
      when: () => true,
      emit: (_input, { limit }, context) => {
        const used = context.evaluate(used1, {});
        const { now, requestId, caller } = context;
        return { now: now.toISOString(), requestId, caller, limit, used: used.status };
      },
    },
  ],
});

describe("an earlier call that is evaluated again", () => {
  it("has its own instant, request id and caller, and says what it used", () => {
    const again = evaluateCall({
      decision: telling,
      ...earlier,
      input: {},
      caller: "shop",
      profile: { limit: 3 },
    });
    expect(again.error).toBeUndefined();
    expect(again.result).toMatchObject({
      status: "OK",
      data: {
        now: "2026-03-03T09:30:00.000Z",
        requestId: "req-3",
        caller: "shop",
        limit: 3,
        used: "OK",
      },
      meta: { evaluatedAt: "2026-03-03T09:30:00.000Z" },
    });
    expect(again.profile).toEqual({ limit: 3 });
    expect(again.used).toMatchObject([{ decision: { id: "loan" }, result: { status: "OK" }, profile: {} }]);
  });

  it("takes the host's profile where none is given, for what it uses too", () => {
    const { profiles, decisions } = createService("host", {
      decisions: [telling, used1],
      profiles: { telling: { limit: 5 }, loan: { limit: 8 } },
    }).catalogue.current;
    expect([...decisions.keys()]).toEqual(["telling", "loan"]);
    const again = evaluateCall({ decision: telling, ...earlier, input: {}, profiles });
    expect(again.profile).toEqual({ limit: 5 });
    expect(again.result).toMatchObject({ data: { limit: 5 } });
    expect(again.used).toMatchObject([{ profile: { limit: 8 }, result: { data: { limit: 8 } } }]);
    expect(evaluateCall({ decision: telling, ...earlier, input: {} }).profile).toEqual({});
  });

  it("returns refusals and faults, and never throws", () => {
    expect(evaluateCall({ decision: loan, ...earlier, input: {} }).result).toMatchObject({
      status: "INVALID_INPUT",
    });
    let deep: unknown = 1;
    for (let level = 0; level < 600; level += 1) deep = [deep];
    expect(evaluateCall({ decision: loan, ...earlier, input: deep }).result).toMatchObject({
      status: "INVALID_INPUT",
    });
    expect(
      evaluateCall({ decision: loan, ...earlier, input: { score: 700 }, profile: deep }).result,
    ).toMatchObject({
      status: "INVALID_PROFILE",
    });
    const failed = evaluateCall({
      decision: loan,
      ...earlier,
      input: { score: 13 },
      profile: { minScore: 1 },
    });
    expect(failed).toMatchObject({
      result: undefined,
      error: { code: "EVALUATION_FAILED" },
      profile: { minScore: 1 },
      used: [],
    });
  });
});
