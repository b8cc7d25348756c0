import { describe, expect, it, vi } from "vitest";
import { createCallHandler, EvaluationPipeline, unknownOrigin } from "../src/host.js";
import type { CallReader, ChosenCall } from "../src/service/call.js";
import { fixedClock, loan, recordingLogger, recordingObserver } from "./fixtures.js";

const chosen: ChosenCall<unknown> = {
  decision: loan,
  profile: undefined,
  profileFrom: "host",
  profiles: undefined,
  headers: undefined,
  shadow: undefined,
};

type Asked = { readonly input: unknown };

const inputs = [
  { score: 700 },
  { score: 1000 },
  { score: "x" },
  { score: 13 },
  { score: 14 },
  { score: 100 },
];

function setUp(reader: Partial<CallReader<Asked, unknown>> = {}) {
  const observer = recordingObserver();
  const options = { clock: fixedClock(), logger: recordingLogger(), observers: [observer] };
  const choose = vi.fn(() => chosen);
  const whole = { input: ({ input }: Asked) => input, origin: () => unknownOrigin, choose, ...reader };
  const handler = createCallHandler(new EvaluationPipeline(options), loan, whole);
  return { handler, choose, events: observer.events };
}

describe("many inputs of one request", () => {
  it.each([true, false])(
    "have the replies of as many requests, where the choice is steady: %s",
    async (isSteady) => {
      const { handler, choose, events } = setUp({ isSteady });
      const one = setUp({ isSteady });
      const evaluate = handler.handleMany((input) => ({ input }), "req-1");
      for (const input of inputs) {
        expect(await evaluate(input)).toEqual(await one.handler.handle({ input }, "req-1"));
      }
      expect(events).toEqual(one.events);
      expect(events).toHaveLength(inputs.length);
      expect(choose).toHaveBeenCalledTimes(isSteady ? 1 : inputs.length);
    },
  );

  it("each fail where the choice fails, and are counted", async () => {
    const choose = () => {
      throw new Error("secret of the host");
    };
    const { handler, events } = setUp({ isSteady: true, choose });
    const evaluate = handler.handleMany((input) => ({ input }), "req-1");
    for (const input of inputs) expect((await evaluate(input)).status).toBe(500);
    expect(events.map(({ status }) => status)).toEqual(inputs.map(() => "ERROR"));
  });

  it("wait where the choice does", async () => {
    const { handler } = setUp({ isSteady: true, choose: async () => chosen });
    const evaluate = handler.handleMany((input) => ({ input }), "req-1");
    const replies = await Promise.all(inputs.map((input) => evaluate(input)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 500, 500, 200]);
  });
});
