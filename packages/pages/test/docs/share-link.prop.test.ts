import fc from "fast-check";
import { expect, it } from "vitest";
import { fromFragment, toFragment } from "../../src/model/call.js";

const id = fc.stringMatching(/^[A-Za-z0-9._~-]{1,100}$/);

/** A version may be any text. */
const version = fc.oneof(
  fc.constantFrom("1.0.0", "versions", "a/versions/b", "1.0.0?try=e30", "#", "100%", "%41", " "),
  fc.string({ minLength: 1, unit: "grapheme" }),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

it("restores every call and version from its fragment", () => {
  const call = fc.record(
    { input: fc.jsonValue(), profile: fc.jsonValue(), profileName: fc.string() },
    { requiredKeys: ["input"] },
  );
  fc.assert(
    fc.property(id, call, maybe(version), (name, given, pinned) => {
      const fragment = toFragment(name, given, pinned);
      if (pinned === undefined) expect(fragment).toMatch(/^#\/[\w.~-]+\?try=[\w-]+$/);
      // A link cannot preserve what JSON cannot carry, such as -0.
      const expected: unknown = JSON.parse(JSON.stringify(given));
      expect(fromFragment(fragment)).toEqual({ id: name, version: pinned, call: expected });
      expect(fromFragment(toFragment(name, undefined, pinned))).toEqual({ id: name, version: pinned });
    }),
  );
});

it("reads any fragment without throwing", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
      const route = fromFragment(`#/loan?try=${text}`);
      expect(["loan", undefined]).toContain(route.id);
      if (route.call !== undefined) expect(Object.hasOwn(route.call, "input")).toBe(true);
    }),
  );
});

it("supports a decision without a call, and no decision at all", () => {
  expect(fromFragment(toFragment("loan"))).toEqual({ id: "loan", call: undefined });
  expect(fromFragment("")).toEqual({ id: undefined, call: undefined });
  expect(fromFragment("#/")).toEqual({ id: undefined, call: undefined });
});

it("reads links as browsers and chat programs spell them", () => {
  const call = { input: { a: 1 } };
  const query = toFragment("news2", call).split("?")[1];
  for (const fragment of ["#/news2/", "#/%6eews2", "#/news2?foo=1", "#/news2?"]) {
    expect(fromFragment(fragment), fragment).toEqual({ id: "news2", call: undefined });
  }
  for (const fragment of [`#/news2/?${query}`, `#/news2?foo=1&${query}`, `#/news2?${query}&utm=x`]) {
    expect(fromFragment(fragment), fragment).toEqual({ id: "news2", call });
  }
  expect(fromFragment("#/%")).toEqual({ id: "%", call: undefined });
});

it("leaves out a call with a number that cannot be sent as written", () => {
  for (const number of ["1e999", "12345678901234567890", "-0"]) {
    const text = Buffer.from(`{"input":{"a":${number}}}`).toString("base64url");
    expect(fromFragment(`#/loan?try=${text}`), number).toEqual({
      id: "loan",
      call: undefined,
      unreadable: true,
    });
  }
});
