import { DecernError } from "@decern/core";
import { describe, expect, it } from "vitest";
import { natsSource, setUpNats } from "../src/index.js";
import { delayAfter } from "../src/take/nats-batch.js";

function problemsOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof DecernError)) throw thrown;
  expect(thrown.code).toBe("INVALID_OPTIONS");
  return thrown.problems.map(({ path }) => path).toSorted();
}

describe("options", () => {
  it("refuses wrong ones of a source with every problem", () => {
    const wrong: object = { connection: {}, stream: "", results: 3, maxDeliveries: 0, subject: "a" };
    const make = (): unknown => {
      // @ts-expect-error The types refuse it as well.
      return natsSource(wrong);
    };
    let refusal: unknown;
    try {
      make();
    } catch (thrown) {
      refusal = thrown;
    }
    expect(problemsOf(refusal)).toEqual([
      "/connection/publish",
      "/connection/request",
      "/connection/subscribe",
      "/consumer",
      "/maxDeliveries",
      "/results",
      "/stream",
      "/subject",
    ]);
  });

  it.each(["answers.*", "answers.>", "two words", "answers.", ".answers", "a..b"])(
    "refuses to publish to %j",
    async (results) => {
      const refusal = await setUpNats(
        // @ts-expect-error The other options are missing.
        { results, deadLetters: results },
      ).catch((thrown: unknown) => thrown);
      expect(problemsOf(refusal)).toEqual(expect.arrayContaining(["/results", "/deadLetters"]));
    },
  );

  it("refuses wrong ones of the setup with every problem", async () => {
    const wrong: object = { subjects: [], maxAgeMs: -1, replicas: 0.5 };
    // @ts-expect-error The types refuse it as well.
    const refusal = await setUpNats(wrong).catch((thrown: unknown) => thrown);
    expect(problemsOf(refusal)).toEqual([
      "/connection",
      "/consumer",
      "/maxAgeMs",
      "/replicas",
      "/results",
      "/stream",
      "/subjects",
    ]);
  });
});

it("waits longer after each failure, up to five minutes", () => {
  expect([1, 2, 3, 4, 5, 6, 9].map(delayAfter)).toEqual([
    1000, 4000, 16_000, 64_000, 256_000, 300_000, 300_000,
  ]);
});
