import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineDecision } from "../../packages/core/src/index.js";
import { type Framework, starter } from "./framework.js";

/** Allows one caller. */
const onlyAda = defineDecision({
  id: "only-ada",
  version: "1.0.0",
  inputSchema: z.object({}),
  outputSchema: z.object({ allowed: z.boolean() }),
  profileSchema: z.object({}),
  rules: [
    {
      id: "by-caller",
      when: () => true,
      emit: (_input, _profile, { caller }) => ({ allowed: caller === "ada" }),
    },
  ],
});

const boom = new Error("boom");
/** What JavaScript callbacks may do. */
const broken: readonly (readonly [string, () => string])[] = [
  [
    "throws",
    () => {
      throw boom;
    },
  ],
  ...["", 0, null, true, {}, []].map(
    (value) => [`returns ${JSON.stringify(value)}`, () => value as string] as const,
  ),
  ["returns half a character", () => "ad\ud800"],
  ["returns a promise", () => Promise.resolve("ada") as unknown as string],
  ["returns a promise that rejects", () => Promise.reject(boom) as unknown as string],
];

/** Checks the option `caller` in every way to evaluate a decision. */
export function callerOptionSuite<Request, Reply>(framework: Framework<Request, Reply>): void {
  const { set, one, guard } = framework.ways;

  describe.each([set, ...one, guard[0]])(`${framework.name}, caller of %s`, (way) => {
    const start = starter(framework);
    const reader = way === guard[0] ? { inputMapper: () => ({}) } : {};

    it("reaches the rules", async () => {
      const ada = await start(way, { decision: onlyAda, caller: () => "ada", ...reader });
      const allowed = way === guard[0] ? "the handler behind" : expect.stringContaining('"allowed":true');
      expect(await ada.send({})).toMatchObject({ status: 200, body: allowed });
      const bob = await start(way, { decision: onlyAda, caller: () => "bob", ...reader });
      const denied = way === guard[0] ? "ACCESS_DENIED" : '"allowed":false';
      expect((await bob.send({})).body).toContain(denied);
      expect(bob.counted()).toEqual(["OK"]);
    });

    it.each(broken)("goes to the host's error handling when it %s", async (what, caller) => {
      const { send, handled, errors, counted } = await start(way, { decision: onlyAda, caller, ...reader });
      expect(await send({})).toMatchObject({ status: 500, body: "the host's" });
      expect(errors).toHaveLength(1);
      expect(counted()).toEqual(["ERROR"]);
      const error =
        what === "throws" ? boom : expect.objectContaining({ code: "INTERNAL_ERROR", statusCode: 500 });
      expect(handled).toEqual([{ error, status: undefined }]);
    });
  });
}
