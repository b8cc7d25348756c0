import { describe, expect, it, vi } from "vitest";
import { checkedOptions, kinds, oneAtMost, option, readOptions, requiredOption } from "../src/options.js";

const rows = {
  store: requiredOption(kinds.withMethods<{ read(): string }>("read")),
  size: option(kinds.wholeNumber, 7),
  label: option(kinds.text),
};
const store = { read: () => "" };

describe("readOptions", () => {
  it("returns the given values, defaults for those that are absent or undefined, and undefined without default", () => {
    expect(readOptions({ store, label: "x" }, rows)).toEqual({
      options: { store, size: 7, label: "x" },
      problems: [],
    });
    expect(readOptions({ store, size: undefined }, rows).options).toEqual({
      store,
      size: 7,
      label: undefined,
    });
    expect(readOptions({ store, size: 3 }, rows).options?.store).toBe(store);
  });

  it("returns all problems at once and no options", () => {
    const given = { size: 0, label: null, "a/b": 1 };
    expect(readOptions(given, rows, [() => [{ path: "/size", message: "rule" }]])).toEqual({
      options: undefined,
      problems: [
        { path: "/a~1b", message: "is unknown; valid names are store, size, label" },
        { path: "/store", message: "is required" },
        { path: "/size", message: "must be a whole number from 1 to 2147483647" },
        { path: "/label", message: "must be a string" },
        { path: "/size", message: "rule" },
      ],
    });
  });

  it.each([undefined, null, "text", 1, [], () => {}])("rejects %s as options", (given) => {
    expect(readOptions(given, rows)).toEqual({
      options: undefined,
      problems: [{ path: "", message: "options must be an object" }],
    });
  });

  it("reads inherited options, and ignores unknown ones that are undefined", () => {
    const given = Object.assign(Object.create({ store, size: 9 }), { other: undefined });
    expect(readOptions(given, rows).options).toEqual({ store, size: 9, label: undefined });
  });

  it("returns the value that it checked, even if a getter changes it", () => {
    const label = vi.fn().mockReturnValueOnce("checked").mockReturnValue(1);
    const given = Object.defineProperty({ store }, "label", { get: label });
    expect(readOptions(given, rows).options?.label).toBe("checked");
  });

  it("gives rules the values with defaults", () => {
    const seen = vi.fn(() => []);
    readOptions({ label: 1 }, rows, [seen]);
    expect(seen).toHaveBeenCalledExactlyOnceWith({ store: undefined, size: 7, label: 1 });
  });
});

describe("checkedOptions", () => {
  it("returns the options, or throws with every problem and the owner", () => {
    expect(checkedOptions("owner", { store }, rows).size).toBe(7);
    expect(() => checkedOptions("owner", { size: -1 }, rows)).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTIONS",
        message: expect.stringContaining("owner"),
        problems: [
          { path: "/store", message: "is required" },
          { path: "/size", message: "must be a whole number from 1 to 2147483647" },
        ],
      }),
    );
  });
});

describe("oneAtMost", () => {
  const rule = oneAtMost("a", "b", "c");

  it("accepts none and one, and names those that contradict", () => {
    expect(rule({})).toEqual([]);
    expect(rule({ b: 0 })).toEqual([]);
    expect(rule({ a: 1, b: undefined, c: false })).toEqual([
      { path: "", message: "a and c contradict: give one" },
    ]);
  });
});

describe("kinds", () => {
  const problems = (kind: (value: unknown, path: string) => unknown, value: unknown) => kind(value, "/at");
  const at = (message: string, path = "/at") => [{ path, message }];

  it("oneOf lists its values", () => {
    const kind = kinds.oneOf("replace", "merge", false);
    expect(problems(kind, "merge")).toEqual([]);
    expect(problems(kind, false)).toEqual([]);
    expect(problems(kind, true)).toEqual(at('must be "replace", "merge" or false'));
    expect(problems(kinds.oneOf("batch", "reply"), "")).toEqual(at('must be "batch" or "reply"'));
  });

  it.each([0, 0.5, 1])("share accepts %s", (value) => {
    expect(problems(kinds.share, value)).toEqual([]);
  });

  it.each([-0.001, 1.001, Number.NaN, "0.5", 1n])("share rejects %s", (value) => {
    expect(problems(kinds.share, value)).toEqual(at("must be a number from 0 to 1"));
  });

  it("date rejects dates without a time", () => {
    expect(problems(kinds.date, new Date(0))).toEqual([]);
    expect(problems(kinds.date, new Date(Number.NaN))).toEqual(at("must be a valid Date"));
    expect(problems(kinds.date, 0)).toEqual(at("must be a valid Date"));
  });

  it("matching accepts only strings", () => {
    const kind = kinds.matching(/^1$/, "must be 1");
    expect(problems(kind, "1")).toEqual([]);
    expect(problems(kind, 1)).toEqual(at("must be 1"));
  });

  it("byName checks own properties, escapes their names, and skips undefined", () => {
    const kind = kinds.byName(kinds.flag);
    expect(problems(kind, { a: true, b: undefined })).toEqual([]);
    expect(problems(kind, { "a/b": 1 })).toEqual(at("must be true or false", "/at/a~1b"));
    expect(problems(kind, [])).toEqual(at("must be an object"));
  });

  it("group checks names, required options, and values, but not defaults", () => {
    const kind = kinds.group({
      on: requiredOption(kinds.flag),
      size: option(
        kinds.that(() => false, "no"),
        1,
      ),
    });
    expect(problems(kind, { on: true })).toEqual([]);
    expect(problems(kind, { size: 1, more: 2 })).toEqual([
      { path: "/at/more", message: "is unknown; valid names are on, size" },
      { path: "/at/on", message: "is required" },
      { path: "/at/size", message: "no" },
    ]);
  });

  it("either accepts what any of its kinds accepts", () => {
    const kind = kinds.either("must be a flag or text", kinds.flag, kinds.text);
    expect([true, ""].flatMap((value) => kind(value, "/at"))).toEqual([]);
    expect(problems(kind, 1)).toEqual(at("must be a flag or text"));
  });

  it("logger needs error, and methods for the levels that it has", () => {
    const log = () => {};
    expect(problems(kinds.logger, { error: log, warn: undefined, info: log })).toEqual([]);
    expect(problems(kinds.logger, { warn: 1 })).toEqual([
      { path: "/at/error", message: "must be a function" },
      { path: "/at/warn", message: "must be a function" },
    ]);
    expect(problems(kinds.logger, null)).toEqual(at("must be an object with error"));
  });
});
