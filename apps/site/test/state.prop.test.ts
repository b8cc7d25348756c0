import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromFragment, type PlaygroundState, textOfState, toFragment } from "../src/base/state.js";
import { playgroundFragment } from "../src/markdown/playground-links.js";

const states: fc.Arbitrary<PlaygroundState> = fc.record(
  {
    // UTF-8 can't encode half of a surrogate pair.
    module: fc.string({ unit: "grapheme" }),
    table: fc.record({
      name: fc.constantFrom("fee.csv", "fee.json"),
      text: fc.string({ unit: "grapheme" }),
    }),
    call: fc.record(
      { input: fc.jsonValue(), profile: fc.jsonValue() },
      { requiredKeys: ["input"], noNullPrototype: true },
    ),
  },
  { requiredKeys: ["module"], noNullPrototype: true },
);

/** As JSON has it: -0 is 0. */
const plain = (state: PlaygroundState): unknown => JSON.parse(textOfState(state));

describe("a link to the playground", () => {
  it("restores what it was made from, whether a browser or the build made it", async () => {
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        const made = await toFragment(state);
        const built = playgroundFragment(state);
        for (const fragment of [made, built]) {
          expect(fragment).toMatch(/^#1\.[\w-]+$/);
          expect(await fromFragment(fragment ?? "")).toEqual(plain(state));
        }
      }),
    );
  });

  it("says so where it was cut off, or something else wrote it", async () => {
    const fragment = (await toFragment({ module: "export const a = 1;" })) ?? "";
    for (let length = 1; length < fragment.length; length += 1)
      expect(await fromFragment(fragment.slice(0, length)), `${length}`).toBe(
        length === 1 ? "none" : "unreadable",
      );
    expect(await fromFragment("")).toBe("none");
    expect(await fromFragment("#results")).toBe("unreadable");
    expect(await fromFragment(fragment.replace("#1.", "#2."))).toBe("unreadable");
  });

  it.each([
    ["nothing", "null"],
    ["no code", '{"table":{"name":"a.csv","text":""}}'],
    ["code that is no text", '{"module":1}'],
    ["a table of another kind", '{"module":"","table":{"name":"a.xlsx","text":""}}'],
    ["rows that are no text", '{"module":"","table":{"name":"a.csv","text":[]}}'],
    ["a call without an input", '{"module":"","call":{"profile":{}}}'],
    ["half a text", '{"module":'],
  ])("is unreadable with %s", async (_, text) => {
    const fragment = `#1.${deflateRawSync(text).toString("base64url")}`;
    expect(await fromFragment(fragment)).toBe("unreadable");
  });

  it("is unreadable where it inflates to more than any text in it may have", async () => {
    const bomb = deflateRawSync(JSON.stringify({ module: "a".repeat(10_000_000) })).toString("base64url");
    expect(bomb.length).toBeLessThan(32_000);
    expect(await fromFragment(`#1.${bomb}`)).toBe("unreadable");
    const fits = deflateRawSync(JSON.stringify({ module: "a".repeat(200_000) })).toString("base64url");
    expect(await fromFragment(`#1.${fits}`)).toEqual({ module: "a".repeat(200_000) });
  });

  it("is not made where it would be too long", async () => {
    const random = Array.from({ length: 60_000 }, (_, index) => ((index * 7919) % 65_521).toString(36)).join(
      "",
    );
    expect(await toFragment({ module: random })).toBeUndefined();
    expect(await toFragment({ module: "a".repeat(300_000) })).toBeUndefined();
  });
});
