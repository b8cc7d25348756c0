import { describe, expect, it, vi } from "vitest";
import { createService, Handler, Many } from "../src/host.js";
import { contentOf } from "../src/http/reply.js";
import type { ProfileResolver } from "../src/index.js";
import { unknownOrigin } from "../src/service/request-view.js";
import { fixedClock, loan, recordingLogger, recordingObserver } from "./fixtures.js";
import { targetOf } from "./fixtures-http.js";

const inputs = [
  { score: 700 },
  { score: 1000 },
  { score: "x" },
  { score: 13 },
  { score: 14 },
  { score: 100 },
];

function setUp(profileResolver?: ProfileResolver) {
  const observer = recordingObserver();
  const options = { clock: fixedClock(), logger: recordingLogger(), observers: [observer] };
  const service = createService("test", { decisions: [loan], ...options, profileResolver });
  const target = targetOf(service.catalogue.current);
  const choose = vi.spyOn(service.chooser, "choose");
  const asked = {
    target,
    origin: unknownOrigin,
    requestId: "req-1",
    sent: undefined,
    source: 0,
  };
  const many = new Many(service, asked);
  const one = async (input: unknown) => {
    const asking = { source: 0, requestId: "req-1", origin: () => unknownOrigin, input: () => input };
    return contentOf(await new Handler(service).run(asking, target)).body;
  };
  return { many, one, choose, events: observer.events };
}

describe("many inputs of one request", () => {
  it.each<[string, number, ProfileResolver | undefined]>([
    ["steady", 1, undefined],
    ["not steady", inputs.length, () => ({ minScore: 600 })],
  ])("have the replies of as many requests, where the choice is %s", async (_, choices, resolver) => {
    const { many, choose, events } = setUp(resolver);
    const other = setUp(resolver);
    for (const input of inputs) {
      expect((await many.evaluate(input)).body).toEqual(await other.one(input));
    }
    expect(events).toEqual(other.events);
    expect(events).toHaveLength(inputs.length);
    expect(choose).toHaveBeenCalledTimes(choices);
  });

  it("each fail where the choice fails, and are counted", async () => {
    const { many, events } = setUp(() => {
      throw new Error("secret of the host");
    });
    for (const input of inputs)
      expect(JSON.parse((await many.evaluate(input)).body).code).toBe("INTERNAL_ERROR");
    expect(events.map(({ status }) => status)).toEqual(inputs.map(() => "ERROR"));
  });

  it("wait where the choice does", async () => {
    const { many } = setUp(async () => ({ minScore: 600 }));
    const replies = await Promise.all(inputs.map((input) => many.evaluate(input)));
    expect(replies.map(({ body }) => JSON.parse(body)).map(({ status, code }) => status ?? code)).toEqual([
      "OK",
      "NO_MATCH",
      "INVALID_INPUT",
      "EVALUATION_FAILED",
      "EVALUATION_FAILED",
      "OK",
    ]);
  });
});
