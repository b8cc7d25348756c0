import fc from "fast-check";
import { expect, it } from "vitest";
import { fromFragment, toFragment } from "../../page/src/model/share-link.js";

const id = fc.stringMatching(/^[A-Za-z0-9._~-]{1,100}$/);

it("restores every call from its fragment", () => {
  fc.assert(
    fc.property(id, fc.jsonValue(), fc.option(fc.jsonValue(), { nil: undefined }), (name, input, profile) => {
      const call = profile === undefined ? { input } : { input, profile };
      const fragment = toFragment(name, call);
      expect(fragment).toMatch(/^#\/[\w.~-]+\?try=[\w-]+$/);
      // What JSON cannot carry, such as -0, is not for a link to keep.
      const expected: unknown = JSON.parse(JSON.stringify(call));
      expect(fromFragment(fragment)).toEqual({ id: name, call: expected });
    }),
  );
});

it("reads any fragment without a throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
      const route = fromFragment(`#/loan?try=${text}`);
      expect(["loan", undefined]).toContain(route.id);
      if (route.call !== undefined) expect(Object.hasOwn(route.call, "input")).toBe(true);
    }),
  );
});

it("knows a decision without a call, and no decision at all", () => {
  expect(fromFragment(toFragment("loan"))).toEqual({ id: "loan", call: undefined });
  expect(fromFragment("")).toEqual({ id: undefined, call: undefined });
  expect(fromFragment("#/")).toEqual({ id: undefined, call: undefined });
});

it("reads the spellings of a link that browsers and chats make", () => {
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

it("leaves out a call with a number that could not be sent as the link has it", () => {
  for (const number of ["1e999", "12345678901234567890", "-0"]) {
    const text = Buffer.from(`{"input":{"a":${number}}}`).toString("base64url");
    expect(fromFragment(`#/loan?try=${text}`), number).toEqual({ id: "loan", call: undefined });
  }
});
