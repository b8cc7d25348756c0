import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../src/base/canonical-json.js";

/** The double whose bits are these, as appendix B of RFC 8785 writes them. */
function fromBits(hex: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

describe("canonicalJson", () => {
  it("writes any JSON as an independent implementation of RFC 8785 does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: "large" }), (value) => {
        const json: unknown = JSON.parse(JSON.stringify(value));
        expect(canonicalJson(json)).toBe(canonicalize(json));
      }),
      { numRuns: 500 },
    );
  });

  it("writes the same text whatever the order of the properties", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(object));
      }),
    );
  });

  it("writes objects whose members are called alike each by its own names", () => {
    const names = fc.subarray(["a", "b", "c", "aa", "ab", "ba", "\u00e9", "10", "9", '"'], { minLength: 1 });
    const shuffled = names.chain((some) => fc.shuffledSubarray(some, { minLength: some.length }));
    fc.assert(
      fc.property(fc.array(shuffled, { maxLength: 30 }), (lists) => {
        for (const list of lists) {
          const value = Object.fromEntries(list.map((name, index) => [name, index % 3 ? index : undefined]));
          expect(canonicalJson(value)).toBe(canonicalize(value));
        }
      }),
    );
    expect(canonicalJson({ "\ud800": undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson({ "\ud800": 1, b: 1 })).toBeUndefined();
  });

  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("writes the number %s of RFC 8785, appendix B, as %s", (bits, text) => {
    expect(canonicalJson(fromBits(bits))).toBe(text);
  });

  it("writes the example of RFC 8785, section 3.2.2", () => {
    const source = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(source))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it("sorts properties by UTF-16 code units, as in the example of RFC 8785, section 3.2.3", () => {
    const source = String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh",
      "1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`;
    const text = canonicalJson(JSON.parse(source)) ?? "";
    expect(Object.values(JSON.parse(text))).toHaveLength(7);
    expect([...text.matchAll(/:"([^"]+)"/g)].map((match) => match[1])).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  class Money {
    readonly cents = 1;
  }
  const cycle: Record<string, unknown> = {};
  cycle["left"] = cycle;
  cycle["right"] = cycle;
  let shared: unknown = {};
  for (let level = 0; level < 100; level += 1) shared = [shared, shared];
  const throwing = {
    get value(): never {
      throw new Error("not for you");
    },
  };
  const proxy = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("not for you");
      },
    },
  );
  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["Infinity inside", { a: [Number.POSITIVE_INFINITY] }],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["an instance of a class", new Money()],
    ["a list with a hole", new Array(1)],
    ["an object with a form of its own", { toJSON: () => 1 }],
    ["a list with a form of its own", Object.assign([], { toJSON: () => 1 })],
    ["a lone surrogate", "\ud800"],
    ["a key with a lone surrogate", { "\ud800": 1 }],
    ["a value that contains itself twice", cycle],
    ["a value that shares its parts too often", shared],
    ["a getter that throws", throwing],
    ["a proxy that throws", proxy],
  ])("has no text for %s", (_name, value) => {
    expect(canonicalJson(value)).toBeUndefined();
  });

  it("leaves out properties that are undefined, as JSON does", () => {
    expect(canonicalJson({ b: undefined, a: 1, c: undefined })).toBe('{"a":1}');
  });
});
