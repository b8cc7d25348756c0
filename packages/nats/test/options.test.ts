import { DecernError } from "@decern/core";
import { describe, expect, it } from "vitest";
import { natsSource, setUpNats } from "../src/index.js";

function problemsOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof DecernError)) throw thrown;
  expect(thrown.code).toBe("INVALID_OPTIONS");
  return thrown.problems.map(({ path }) => path).toSorted();
}

describe("options", () => {
  it("refuses wrong ones of a source with every problem", () => {
    const wrong: object = { connection: {}, stream: "", results: 3, maxTries: 0, subject: "a" };
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
      "/maxTries",
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
