import { afterEach, expect, it, vi } from "vitest";
import { consoleLogger, neverThrowing } from "../src/base/faults.js";

afterEach(() => vi.restoreAllMocks());

const levels = ["error", "warn", "info"] as const;

it("writes every level to standard error: standard output belongs to the program", () => {
  const spies = (["error", "warn", "info", "log"] as const).map((name) =>
    vi.spyOn(console, name).mockReturnValue(),
  );
  for (const level of levels) consoleLogger[level]({ level }, `a ${level}`);
  expect(spies.map(({ mock }) => mock.calls)).toEqual([
    [["a error", { level: "error" }]],
    [
      ["a warn", { level: "warn" }],
      ["a info", { level: "info" }],
    ],
    [],
    [],
  ]);
});

it.each(levels)(
  "breaks nothing when %s throws or rejects, and tells a logger without it nothing",
  async (level) => {
    const boom = () => {
      throw new Error("boom");
    };
    const rejects = () => Promise.reject(new Error("boom"));
    const quiet = { error: () => {} };
    for (const logger of [{ ...quiet, [level]: boom }, { ...quiet, [level]: rejects }, quiet]) {
      expect(neverThrowing(logger)[level]({}, "message")).toBeUndefined();
    }
    await new Promise((resolve) => setImmediate(resolve));
  },
);

it("passes every level on, as methods", () => {
  class Counting {
    calls: unknown[] = [];
    error(...call: unknown[]): void {
      this.calls.push(["error", ...call]);
    }
    warn(...call: unknown[]): void {
      this.calls.push(["warn", ...call]);
    }
    info(...call: unknown[]): void {
      this.calls.push(["info", ...call]);
    }
  }
  const logger = new Counting();
  const safe = neverThrowing(logger);
  for (const level of levels) safe[level]({ level }, "said");
  expect(logger.calls).toEqual(levels.map((level) => [level, { level }, "said"]));
});
