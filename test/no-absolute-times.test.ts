import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Assertions that compare a clock with another clock's reading of the same work, which holds on every machine. */
const allowed: Readonly<Record<string, string>> = {
  "test/suites/growth.ts": "the ratio of two costs, measured one after the other",
  "apps/demo/test/e2e/prometheus.system.test.ts": "the service's measurement lies within its client's",
};

const clock = /\b(?:performance\.now|Date\.now|hrtime|cpuUsage)\b/;
const comparison =
  /\.(?:toBeLessThan|toBeLessThanOrEqual|toBeGreaterThan|toBeGreaterThanOrEqual|toBeCloseTo)\(/;
/** The shortest time-out that a test may set. The runner's own is five times as long. */
const leastLimitMs = 60_000;

/** Names of variables with times: those declared or assigned from a clock, or from such a variable, in one statement. */
function timesIn(source: string): readonly string[] {
  const statements = [
    ...source.matchAll(/(?:\b(?:const|let)\s+|^\s*)(\w+)(?:: [^=;]+)? [-+]?= ([^;]*);/gm),
    ...[...source.matchAll(/\b(?:const|let) [{[]([^=;]*)[}\]] = ([^;]*);/g)].flatMap(
      ([text, names = "", value = ""]) => [...names.matchAll(/\w+/g)].map(([name]) => [text, name, value]),
    ),
    // A property, and an item added to a list.
    ...source.matchAll(/\b(\w+): ([^,;{}]*)/g),
    ...source.matchAll(/\b(\w+)\.push\(([^;]*)\);/g),
    ...source.matchAll(/\bfunction (\w+)(.*?\n\}\n)/gs),
  ];
  const times = new Set<string>();
  for (let before = -1; before !== times.size; ) {
    before = times.size;
    for (const [, name = "", value = ""] of statements) {
      if (clock.test(value) || mentions(value, times)) times.add(name);
    }
  }
  return [...times];
}

function mentions(text: string, names: Iterable<string>): boolean {
  return [...names].some((name) => new RegExp(`\\b${name}\\b`).test(text));
}

/** The parts of a test that would fail on a slower machine, as text. */
function judgementsOfTime(source: string): readonly string[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, "");
  const times = timesIn(code);
  const assertions = [...code.matchAll(/\bexpect\([^;]*;/g)]
    .map(([text]) => text)
    .filter((text) => comparison.test(text) && (clock.test(text) || mentions(text, times)));
  const limits = [
    ...code.matchAll(/\b(?:timeout|testTimeout|hookTimeout): ([\d_]+)/g),
    ...code.matchAll(/^\}, ([\d_]+)\);/gm),
    ...code.matchAll(/\b(?:AbortSignal\.timeout|setDefaultTimeout|setDefaultNavigationTimeout)\(([\d_]+)\)/g),
  ].flatMap(([text, limit = ""]) => (Number(limit.replaceAll("_", "")) < leastLimitMs ? [text] : []));
  const races = [...code.matchAll(/\bPromise\.race\([^;]*\b(?:setTimeout|sleep|delay|pause)\b[^;]*;/g)];
  // They time out after a second; `expect.poll` continues as long as the test.
  const waits = [...code.matchAll(/\bvi\.wait(?:For|Until)\(/g)];
  return [...assertions, ...limits, ...[...races, ...waits].map(([text]) => text)];
}

/** Every file in a folder of tests, except for this one. */
function testFiles(): readonly string[] {
  const folders = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}/test`),
  );
  return ["test", "bench/test", ...folders]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.endsWith("no-absolute-times.test.ts") && !path.includes("/."));
}

describe("no test judges an absolute time", () => {
  const files = testFiles();

  it("finds the tests", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files).toEqual(expect.arrayContaining(Object.keys(allowed)));
  });

  it.each(files.filter((path) => !(path in allowed)))("%s", (path) => {
    expect(judgementsOfTime(readFileSync(join(root, path), "utf8"))).toEqual([]);
  });

  it.each(Object.keys(allowed))("%s is still an exception", (path) => {
    expect(judgementsOfTime(readFileSync(join(root, path), "utf8"))).not.toEqual([]);
  });
});

describe("the check itself", () => {
  it.each([
    ["a difference", "expect(performance.now() - before).toBeLessThan(1000);"],
    ["a name", "const elapsed = Date.now() - started;\nexpect(elapsed, what).toBeLessThan(\n  1000,\n);"],
    ["a name of a name", "let t = process.hrtime();\nconst a = t - b;\nexpect(-a).toBeGreaterThan(-9);"],
    ["parts", "const { user, system } = process.cpuUsage(before);\nexpect(user + system).toBeLessThan(9);"],
    [
      "a property",
      "resolve({ text, afterMs: performance.now() - started });\nexpect(x.afterMs).toBeLessThan(9);",
    ],
    ["a list", "times.push(performance.now());\nexpect(Math.max(...times)).toBeLessThan(9);"],
    ["a function", "function cost() {\n  return process.cpuUsage();\n}\nexpect(cost()).toBeLessThan(9);"],
    ["a short limit", 'it("x", { timeout: 5_000 }, run);'],
    ["a short limit at the end", 'it("x", () => {\n}, 30_000);'],
    ["a short signal", "await fetch(url, { signal: AbortSignal.timeout(500) });"],
    ["a race", "await Promise.race([work, new Promise((resolve) => setTimeout(resolve, 50))]);"],
    ["a wait of a second", "await vi.waitFor(() => expect(seen).toEqual([]));"],
  ])("sees %s", (_what, source) => {
    expect(judgementsOfTime(source)).toHaveLength(1);
  });

  it.each([
    ["a count", "const before = performance.now();\nexpect(calls).toBeLessThan(3);"],
    ["a long limit", 'it("x", { timeout: 300_000 }, run);'],
    ["a poll", "await expect.poll(() => seen).toHaveLength(1);"],
    ["a race without a clock", "await Promise.race([first, second]);"],
    ["a comment", "// expect(performance.now()).toBeLessThan(1);"],
  ])("leaves %s alone", (_what, source) => {
    expect(judgementsOfTime(source)).toEqual([]);
  });
});
