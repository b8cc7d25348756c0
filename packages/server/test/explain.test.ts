import { defineDecision } from "@decern/core";
import { runInSlices } from "@decern/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { explain } from "../../../test/support/explain.js";
import { MemoryLog } from "../../../test/support/memory-log.js";
import { createServer } from "../src/index.js";
import { recordingLogger } from "./support/recording-logger.js";

const loan = (version: string) =>
  defineDecision({
    id: "loan",
    version,
    inputSchema: z.object({ score: z.int().min(300).max(850), member: z.boolean().default(false) }),
    outputSchema: z.object({ approved: z.boolean() }),
    profileSchema: z.object({ minScore: z.number() }),
    rules: [
      {
        id: "fails",
        when: ({ score }) => {
          if (score === 300) throw new Error("secret of the rule");
          return false;
        },
        emit: () => ({ approved: false }),
      },
      { id: "member", when: ({ member }) => member, emit: () => ({ approved: true }) },
      {
        id: "too-low",
        when: ({ score }, { minScore }) => score < minScore,
        emit: () => ({ approved: false }),
        explain: (_input, { minScore }) => `Below ${minScore}`,
      },
      { id: "fine", when: () => true, emit: () => ({ approved: true }) },
    ],
  });

function serve(options: Partial<Parameters<typeof createServer>[0]> = {}) {
  return createServer({
    decisions: [loan("1"), loan("2")],
    versions: { loan: { default: "2", deprecated: { "1": { since: "2026-01-01" } } } },
    profiles: { "loan@1": { minScore: 500 }, "loan@2": { minScore: 620 }, "loan#strict": { minScore: 700 } },
    callerProfiles: { loan: ["strict"] },
    explain: explain(),
    logger: recordingLogger(),
    ...options,
  });
}

const post = (body: unknown, url = "/decisions/loan/explain") => ({
  method: "POST" as const,
  url,
  headers: { "content-type": "application/json" },
  payload: JSON.stringify(body),
});

describe("POST /decisions/:id/explain", () => {
  it("is off unless asked for", async () => {
    const { handler } = serve({ explain: undefined });
    expect((await handler.inject(post({ input: { score: 580 } }))).statusCode).toBe(404);
    expect((await handler.inject("/docs/catalogue.json")).json()).not.toHaveProperty("explains");
    expect((await serve().handler.inject("/docs/catalogue.json")).json()).toHaveProperty("explains", true);
  });

  it("says which change of one field would change the answer", async () => {
    const reply = await serve().handler.inject(post({ input: { score: 580 } }));
    expect(reply.statusCode).toBe(200);
    const explanation = reply.json();
    expect(explanation).toMatchObject({
      envelope: { status: "OK", data: { approved: false }, meta: { matchedRule: "too-low" } },
      fields: [
        {
          path: "/score",
          value: 580,
          flips: [{ to: 620, matchedRule: "fine", data: { approved: true }, isNearest: true }],
          bands: { step: 1, exact: true },
        },
        { path: "/member", value: false, flips: [{ to: true, matchedRule: "member" }] },
      ],
      complete: true,
    });
    // 551 scores, the other flag, and the call as it is.
    expect(explanation.evaluations).toBe(553);
  });

  it("takes versions and profiles as evaluations do", async () => {
    const { handler } = serve();
    const flipOf = async (body: object, url?: string) => {
      const reply = await handler.inject(post({ input: { score: 450 }, ...body }, url));
      return { to: reply.json().fields?.[0]?.flips[0].to, deprecation: reply.headers["deprecation"] };
    };
    expect(await flipOf({})).toEqual({ to: 620, deprecation: undefined });
    expect(await flipOf({}, "/decisions/loan/versions/1/explain")).toEqual({
      to: 500,
      deprecation: expect.stringMatching(/^@\d+$/),
    });
    expect(await flipOf({ profileName: "strict" })).toMatchObject({ to: 700 });
    expect(await flipOf({ profile: { minScore: 800 } })).toMatchObject({ to: 800 });
    const resolved = serve({ profileResolver: async () => ({ minScore: 466 }) }).handler;
    expect((await resolved.inject(post({ input: { score: 450 } }))).json().fields[0].flips[0].to).toBe(466);
  });

  it("refuses what an evaluation refuses, with the same body", async () => {
    const calls = [
      [{ input: { score: 3 } }, "loan"],
      [{ input: { score: 400 }, profile: {} }, "loan"],
      [{}, "loan"],
      [[], "loan"],
      [{ input: { score: 400 }, profileName: "secret" }, "loan"],
      [{ input: { score: 300 } }, "loan"],
      [{ input: {} }, "nobody"],
      [{ input: {} }, "loan/versions/7"],
    ] as const;
    const { handler } = serve({ clock: { now: () => 1_800_000_000_000, monotonic: () => 0 } });
    for (const [body, path] of calls) {
      const explained = await handler.inject(post(body, `/decisions/${path}/explain`));
      const evaluated = await handler.inject(post(body, `/decisions/${path}`));
      expect({ statusCode: explained.statusCode, json: explained.json() }).toEqual({
        statusCode: evaluated.statusCode,
        json: evaluated.json(),
      });
      expect(explained.statusCode).toBeGreaterThanOrEqual(400);
      expect(explained.body).not.toContain("secret of the rule");
    }
    const closed = serve({ profileOverride: false }).handler;
    const refused = await closed.inject(post({ input: { score: 400 }, profile: { minScore: 1 } }));
    expect(refused.json()).toMatchObject({ code: "PROFILE_OVERRIDE_FORBIDDEN" });
    const broken = serve({ profileResolver: () => ({ minScore: "high" }) }).handler;
    const masked = await broken.inject(post({ input: { score: 400 } }));
    expect({ statusCode: masked.statusCode, code: masked.json().code }).toEqual({
      statusCode: 500,
      code: "INVALID_HOST_PROFILE",
    });
  });

  it("asks nobody but whoever authenticates: no hook, no observer, no record", async () => {
    const told: string[] = [];
    const log = new MemoryLog();
    const { handler } = serve({
      log,
      authenticate: ({ headers }) => headers["x-key"] === "right",
      hooks: { afterEvaluate: () => void told.push("after"), onError: () => void told.push("error") },
      observers: [{ onEvaluated: () => void told.push("observer") }],
    });
    const call = post({ input: { score: 580 } });
    expect((await handler.inject(call)).statusCode).toBe(401);
    const reply = await handler.inject({ ...call, headers: { ...call.headers, "x-key": "right" } });
    expect(reply.statusCode).toBe(200);
    expect(told).toEqual([]);
    expect(reply.headers).not.toHaveProperty("decern-record-id");
  });

  it("keeps to the host's budget", async () => {
    const { handler } = serve({ explain: explain({ maxEvaluations: 40 }) });
    const explanation = (await handler.inject(post({ input: { score: 580 } }))).json();
    expect(explanation.evaluations).toBeLessThanOrEqual(40);
    expect(explanation.fields[0].flips[0]).toMatchObject({
      matchedRule: expect.stringMatching(/fine|member/),
    });
  });
});

describe("a search in slices", () => {
  it("lets others have their turn", async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (turns < 3) setImmediate(count);
    };
    setImmediate(count);
    // It ends only once others have had three turns.
    function* steps(): Generator<void, string> {
      while (turns < 3) yield;
      return "found";
    }
    expect(await runInSlices(steps(), () => true)).toBe("found");
  });

  it("ends when nobody waits any more", async () => {
    let slices = 0;
    function* endless(): Generator<void, never> {
      for (;;) yield;
    }
    const isWanted = (): boolean => {
      slices += 1;
      return slices < 4;
    };
    expect(await runInSlices(endless(), isWanted)).toBeUndefined();
  });
});
