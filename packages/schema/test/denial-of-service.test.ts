import { type TSchema, Type } from "typebox";
import { describe, expect, it, vi } from "vitest";
import { typebox } from "../src/index.js";

vi.setConfig({ testTimeout: 60_000 });

const bytes = 1024 * 1024;

/** Fills one mebibyte of JSON. */
function list(item: unknown): unknown[] {
  return Array.from({ length: Math.floor(bytes / (JSON.stringify(item).length + 1)) }, () =>
    structuredClone(item),
  );
}
function object(value: unknown): Record<string, unknown> {
  const size = JSON.stringify(value).length + 12;
  return Object.fromEntries(
    Array.from({ length: Math.floor(bytes / size) }, (_, index) => [`k${index}`, value]),
  );
}
const wide = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, Type.String()]));

describe("one mebibyte of anything is validated in time", () => {
  it.each<[string, TSchema, unknown]>([
    ["a list of wrong items", Type.Array(Type.Integer()), list("a")],
    ["a list of objects that lack everything", Type.Array(Type.Object(wide)), list({})],
    [
      "a list of objects with too much",
      Type.Array(Type.Object({}, { additionalProperties: false })),
      list({ a: 1 }),
    ],
    [
      "an object of properties that are not allowed",
      Type.Object({}, { additionalProperties: false }),
      object(1),
    ],
    [
      "an object of wrong names",
      Type.Object({}, { propertyNames: Type.String({ maxLength: 1 }) }),
      object(1),
    ],
    ["a record of wrong values", Type.Record(Type.String(), Type.Object(wide)), object({})],
    [
      "a record of wrong keys",
      Type.Record(Type.Integer(), Type.Null(), { additionalProperties: false }),
      object(1),
    ],
    [
      "a list of failing unions",
      Type.Array(
        Type.Union([1, 2, 3, 4, 5].map((index) => Type.Object({ ...wide, [`only${index}`]: Type.Null() }))),
      ),
      list({}),
    ],
    ["unique scalars", Type.Array(Type.Any(), { uniqueItems: true }), list(0).map((_, index) => index)],
    [
      "unique objects",
      Type.Array(Type.Any(), { uniqueItems: true }),
      list({ a: 10 }).map((_, index) => ({ a: index })),
    ],
    [
      "a list that contains nothing wanted",
      Type.Array(Type.Any(), { contains: Type.Object(wide) }),
      list({}),
    ],
    [
      "a long recursive union",
      Type.Cyclic(
        {
          List: Type.Union([
            Type.Null(),
            Type.Object({ next: Type.Ref("List"), all: Type.Array(Type.Ref("List")) }),
          ]),
        },
        "List",
      ),
      { next: null, all: list({ next: null, all: [] }).concat(1) },
    ],
    ["a text for a pattern", Type.String({ pattern: "^(?:[a-z]+,)*[a-z]+$" }), `${"a,".repeat(bytes / 2)}!`],
    [
      "defaults to fill in",
      Type.Object({ a: Type.Integer({ default: 1 }), b: Type.Array(Type.Integer()) }),
      { b: list("a") },
    ],
    [
      "a text that is too long for its pattern",
      Type.String({ pattern: "^[a-z0-9]+@[a-z0-9]+$", maxLength: 10 }),
      "a".repeat(bytes),
    ],
  ])("%s", (_name, type, value) => {
    const { validate } = typebox(type)["~standard"];
    validate(null);
    const started = process.cpuUsage();
    const result = validate(value);
    const { user, system } = process.cpuUsage(started);
    if (!(result instanceof Promise)) expect(result.issues?.length ?? 0).toBeLessThanOrEqual(20);
    // The bound of the service is 200 ms; quadratic work would take minutes.
    expect((user + system) / 1000).toBeLessThan(1_000);
  });
});

describe("formats", () => {
  const attacks = [
    "a",
    "0",
    ".",
    "-",
    ":",
    "/",
    "%20",
    "a.",
    "a-",
    "1.",
    "0:",
    "a@",
    "{a}",
    "P1D",
    " ",
    "T",
    "[",
    "\\",
    "::",
    "a:",
    "=",
    "~0",
    "é",
  ];

  it.each([
    "date",
    "time",
    "date-time",
    "iso-time",
    "iso-date-time",
    "duration",
    "uri",
    "uri-reference",
    "uri-template",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "regex",
    "uuid",
    "json-pointer",
    "json-pointer-uri-fragment",
    "relative-json-pointer",
    "byte",
  ])("%s takes time that grows with the text, whatever is repeated", (format) => {
    const { validate } = typebox(Type.String({ format }))["~standard"];
    validate("");
    for (const start of ["", "a@", "http://", "http://a@", "#", "/", "0", "2026-01-01T00:00:00."]) {
      for (const repeated of attacks) {
        const text = `${start}${repeated.repeat(100_000 / repeated.length)}\u0000`;
        const started = process.cpuUsage();
        validate(text);
        // 100,000 characters squared would be 10 s at the least.
        expect(process.cpuUsage(started).user / 1000, `${start} and ${repeated}`).toBeLessThan(500);
      }
    }
  });
});
