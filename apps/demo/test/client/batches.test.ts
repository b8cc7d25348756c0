import { createClient } from "@decern/client";
import { defineDecision } from "@decern/core";
import { metrics } from "@decern/metrics";
import { createServer } from "@decern/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const double = defineDecision({
  id: "double",
  version: "1.0.0",
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ twice: z.number() }),
  profileSchema: z.object({ most: z.number().default(1000) }),
  rules: [
    {
      id: "only",
      when: ({ n }, { most }) => {
        if (n === 13) throw new Error("unlucky");
        return n <= most;
      },
      emit: ({ n }) => ({ twice: n * 2 }),
    },
  ],
});
const decisions = [double];

const measured = metrics({ enabled: true });
const server = createServer({ decisions, metrics: measured, logger: false });
let url: string;
beforeAll(async () => {
  url = await server.listen(0, { host: "127.0.0.1" });
});
afterAll(() => server.close());

const client = () => createClient<typeof decisions>({ url, timeoutMs: Number.POSITIVE_INFINITY });
const count = (status: string) =>
  measured.collector.getCounter("engine_evaluations_total", { decision_id: "double", status });

describe("the client's batch, on the server", () => {
  it("has an item for each input, in order, and one bad input never fails the others", async () => {
    const inputs = [{ n: 1 }, { n: 13 }, { n: Number.NaN }, { n: 2000 }, { n: 5 }];
    const before = ["OK", "ERROR", "INVALID_INPUT", "NO_MATCH"].map(count);
    const items = await client().double.batch(inputs, { requestId: "order-17" });
    expect(
      items.map((item) => (item.status === "OK" ? item.data.twice : (item.status ?? item.code))),
    ).toEqual([2, "EVALUATION_FAILED", "INVALID_INPUT", "NO_MATCH", 10]);
    const after = ["OK", "ERROR", "INVALID_INPUT", "NO_MATCH"].map(count);
    expect(after.map((now, index) => now - (before[index] ?? 0))).toEqual([2, 1, 1, 1]);
  });

  it("takes a profile and a version, and throws where the request as a whole is refused", async () => {
    const { double } = client();
    const [item] = await double.batch([{ n: 20 }], { profile: { most: 10 }, version: "1.0.0" });
    expect(item).toMatchObject({ status: "NO_MATCH" });
    expect(await double.batch([])).toEqual([]);
    const many = Array.from({ length: 1001 }, (_, n) => ({ n }));
    await expect(double.batch(many)).rejects.toMatchObject({ code: "BATCH_TOO_LARGE", status: 400 });
    await expect(double.batch([], { version: "9" })).rejects.toMatchObject({ code: "VERSION_NOT_FOUND" });
  });
});

describe("the client's stream, on the server", () => {
  it("has an item for each of any number of inputs, in order", async () => {
    function* inputs() {
      for (let n = 0; n < 3500; n += 1) yield { n };
    }
    let expected = 0;
    for await (const item of client().double.stream(inputs())) {
      const [status, value] =
        expected === 13
          ? [undefined, "EVALUATION_FAILED"]
          : expected > 1000
            ? ["NO_MATCH", undefined]
            : ["OK", expected * 2];
      expect(item.status).toBe(status);
      if (value !== undefined)
        expect(item.status === "OK" ? item.data.twice : Reflect.get(item, "code")).toBe(value);
      expected += 1;
    }
    expect(expected).toBe(3500);
  });

  it("may be left in the middle, and the server closes at once", async () => {
    for await (const item of client().double.stream([{ n: 1 }, { n: 2 }])) {
      expect(item.status).toBe("OK");
      break;
    }
  });
});
