import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endpointKind, normalizePrefix } from "../src/http/host-options.js";

const segment = fc.oneof(
  fc.constantFrom(".", "..", "...", "", "a.b", "~x", "%2e", "%2e%2e", ":id", "*", "a b", "é"),
  fc.string({ maxLength: 6 }),
);
const paths = fc.array(segment, { maxLength: 5 }).map((segments) => segments.join("/"));

/** The path that a client requests for a given path. */
function requested(path: string): string {
  return new URL(`http://host.invalid${path}`).pathname;
}

describe("an endpoint", () => {
  it("is a path that clients request exactly as written", () => {
    fc.assert(
      fc.property(
        paths.map((path) => `/${path}`),
        (path) => {
          fc.pre(endpointKind(path, "/endpoint").length === 0);
          expect(requested(path)).toBe(path);
        },
      ),
    );
  });

  it.each(["/metrics", "/a/b.json", "/v1/.well-known/x", "/..."])("may be %s", (path) => {
    expect(endpointKind(path, "/endpoint")).toEqual([]);
  });

  it.each(["", "/", "metrics", "/a/", "//a", "/..", "/a/../b", "/./a", "/:id", "/a b", 1, undefined])(
    "may not be %s",
    (path) => {
      expect(endpointKind(path, "/endpoint")).toMatchObject([{ path: "/endpoint" }]);
    },
  );
});

describe("a prefix", () => {
  it.each(["..", "/a/..", "/./a", "/:id"])("may not be %s", (prefix) => {
    expect(() => normalizePrefix(prefix)).toThrow(/must have segments of/);
  });

  it("follows the same rule for segments as an endpoint", () => {
    fc.assert(
      fc.property(segment, (one) => {
        fc.pre(one !== "" && !one.includes("/"));
        const asEndpoint = endpointKind(`/${one}`, "").length === 0;
        if (asEndpoint) expect(normalizePrefix(one)).toBe(`/${one}`);
        else expect(() => normalizePrefix(one)).toThrow();
      }),
    );
  });
});
