import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasForbiddenKey, parseJsonBody } from "../src/base/json.js";

const key = fc.constantFrom("a", "__proto__", "constructor", "prototype", "toString");
const { body } = fc.letrec<{ body: unknown }>((tie) => ({
  body: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(1, null, "__proto__", true),
    fc.array(tie("body"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("body")), { maxLength: 3 }).map((entries) => {
      const object: Record<string, unknown> = {};
      for (const [name, value] of entries) {
        Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
      }
      return object;
    }),
  ),
}));

/** Finds every key with the engine's own parser, from the inside out. */
function isForbidden(text: string): boolean {
  let found = false;
  JSON.parse(text, (name, value: unknown) => {
    if (name === "__proto__") found = true;
    if (name === "constructor" && typeof value === "object" && value !== null) {
      found ||= Object.hasOwn(value, "prototype");
    }
    return value;
  });
  return found;
}

/** Escapes every letter of every key. */
function escaped(text: string): string {
  return text.replace(/[a-z_]+(?=":)/gi, (name) =>
    [...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  );
}

describe("the body of a request", () => {
  it("is refused for a forbidden key at any depth and in any spelling, and parsed otherwise", () => {
    fc.assert(
      fc.property(body, fc.boolean(), fc.boolean(), (value, spelledOut, marked) => {
        const plain = JSON.stringify(value);
        const text = `${marked ? "\uFEFF" : ""}${spelledOut ? escaped(plain) : plain}`;
        expect(hasForbiddenKey(value)).toBe(isForbidden(plain));
        if (isForbidden(plain)) expect(() => parseJsonBody(text)).toThrow("forbidden key");
        else expect(parseJsonBody(text)).toEqual(value);
      }),
    );
  });

  it("is refused when it is not JSON, without quoting it", () => {
    for (const text of ["", "{", "secret", '{"a":1,}', "\uFEFF", "\uFEFF\uFEFF1"]) {
      expect(() => parseJsonBody(text)).toThrow(/^Request body is not valid JSON$/);
    }
  });

  it("may refer to itself if a host parsed it", () => {
    const round: { self?: unknown } = {};
    round.self = round;
    expect(hasForbiddenKey(round)).toBe(false);
  });
});
