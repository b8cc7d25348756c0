import { DecernError } from "@decern/core";
import { sourceOf } from "@decern/core/tools";
import { describe, expect, it } from "vitest";
import { optionSuite } from "../../../test/suites/option-suite.js";
import { type WatchProfilesOptions, watchProfiles } from "../src/index.js";

const load = () => undefined;
const url = "https://config.example.com/p.json";

/** Options from a caller without types. */
function untyped(options: unknown): WatchProfilesOptions {
  const box: { options: WatchProfilesOptions } = JSON.parse("{}");
  Reflect.set(box, "options", options);
  return box.options;
}

/** Gives options that stand alone the others that they need. */
function complete(options: object): object {
  if (Array.isArray(options) || ["file", "url", "load"].some((name) => Reflect.has(options, name))) {
    return options;
  }
  return { ...("headers" in options ? { url } : { load }), ...options };
}

optionSuite<WatchProfilesOptions>(
  "watchProfiles",
  {
    file: { right: "p.json", takes: ["text"] },
    url: { right: new URL(url) },
    headers: { right: { authorization: "Bearer x" }, takes: ["object"] },
    load: { right: load, takes: ["function"] },
    everyMs: { right: 100 },
    timeoutMs: { right: 1, takes: ["one"] },
    wake: { right: () => undefined, takes: ["function"] },
  },
  {},
  (options) =>
    watchProfiles(untyped(typeof options === "object" && options !== null ? complete(options) : options)),
);

function problemsOf(options: unknown): DecernError["problems"] {
  try {
    watchProfiles(untyped(options));
  } catch (error) {
    if (error instanceof DecernError) return error.problems;
    throw error;
  }
  return [];
}

describe("watchProfiles", () => {
  it.each([
    [{}, [{ path: "", message: "one of file, url, load is required" }]],
    [{ file: "p.json", url }, [{ path: "", message: "file and url contradict: give one" }]],
    [{ file: "p.json", headers: {} }, [{ path: "/headers", message: "belongs to url, which is not given" }]],
    [{ load, everyMs: 99 }, [{ path: "/everyMs", message: "must be at least 100" }]],
    [{ url: "/p.json" }, [{ path: "/url", message: "must be an absolute URL with http or https" }]],
    [{ url: "file:///p.json" }, [{ path: "/url", message: "must be an absolute URL with http or https" }]],
    [
      { url: "https://me:secret@example.com" },
      [{ path: "/url", message: "must have no credentials; give them in headers" }],
    ],
    [
      { url, headers: { "x y": "1", x: "secret\nx", "a/b": 1 } },
      [
        { path: "/headers/x y", message: "is not a valid HTTP header" },
        { path: "/headers/x", message: "is not a valid HTTP header" },
        { path: "/headers/a~1b", message: "must be a string" },
      ],
    ],
  ])("refuses %j", (options, problems) => {
    expect(problemsOf(options)).toEqual(problems);
  });

  it("makes a source that a host tells from a map of profiles", () => {
    expect(sourceOf("profile-source", watchProfiles({ load }))).toBeDefined();
    for (const other of [undefined, null, {}, { watch: load }, "x"])
      expect(sourceOf("profile-source", other)).toBeUndefined();
  });
});
