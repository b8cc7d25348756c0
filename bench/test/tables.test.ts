import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { acrossProcesses, measure } from "../src/measure/rounds.js";
import { median, quantile, spread } from "../src/measure/statistics.js";
import { fileOf, pages, withTables } from "../src/page.js";
import { latestResults, withResults } from "../src/results.js";
import { shortSizes } from "../src/sizes.js";
import { inProcessTables } from "../src/tables/in-process.js";
import { printTable } from "../src/tables/print.js";
import { atLeast, atMost, tableSchema } from "../src/tables/table.js";
import { randomOrder } from "../src/workload/random-order.js";

test.each(Object.entries(inProcessTables))(
  "table %s runs in short mode",
  async (_name, { time, table: make }) => {
    const table = make(acrossProcesses([await time(shortSizes), await time(shortSizes)]));
    expect(tableSchema.parse(JSON.parse(JSON.stringify(table)))).toEqual(table);
    for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
    expect(printTable(table)).toContain(table.rows[0]?.[0]);
  },
);

test("ratios are taken within a round, against the baseline", async () => {
  // Only these entries advance the clock, so their times are exact on every machine.
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const wait = (ms: number) => () => {
    now += ms;
  };
  const sizes = { ...shortSizes, rounds: 5, roundMs: 20 };
  const timings = await measure(
    [
      { name: "one", run: wait(0.05) },
      { name: "two", run: wait(0.2) },
    ],
    "one",
    sizes,
  );
  expect(timings[0]).toMatchObject({ name: "one", ratio: 1, extraNs: 0 });
  expect(timings[1]?.ratio).toBeCloseTo(4);
  expect(timings[1]?.extraNs).toBeCloseTo(150_000);
  await expect(measure([], "nobody", sizes)).rejects.toThrow("nobody");
  clock.mockRestore();
});

test("results of several processes are combined by their medians", () => {
  const timing = (ns: number) => ({ name: "one", ns, spread: ns, ratio: -ns, extraNs: 2 * ns });
  expect(acrossProcesses([[timing(1)], [timing(7)], [timing(3)]])).toEqual([timing(3)]);
  expect(() => acrossProcesses([[timing(1)], []])).toThrow("one");
});

const machine = { node: "v24.0.0", v8: "1", system: "linux x64", cpu: "C", cores: 2, memoryGiB: 1 };
const result = (name: string, date: string, ns: number) => ({
  name,
  date,
  machine,
  table: { title: name, note: "n", columns: ["", "ns"], rows: [["one", ns]], targets: [] },
});

test("tables replace those of the page, and nothing else", () => {
  const page = "above\n<!-- tables -->\nold\n<!-- end of tables -->\nbelow\n";
  const written = withTables(page, "### T");
  expect(written).toBe("above\n<!-- tables -->\n\n### T\n\n<!-- end of tables -->\nbelow\n");
  expect(withTables(written, "### T")).toBe(written);
  expect(() => withTables("no tables here", "### T")).toThrow("markers");
});

test("tables are printed with the day and the machine of their measurement, where these change", () => {
  const targets = [atMost("fast", 2, 1), atMost("small", 2, 3)];
  const first = result("T", "2026-01-02T03:04:05.000Z", 1);
  const others = [
    result("U", "2026-01-03T03:04:05.000Z", 1),
    result("U2", "2026-01-03T04:04:05.000Z", 1),
    { ...result("V", "2026-01-04T03:04:05.000Z", 1), machine: { ...machine, cores: 4 } },
  ];
  const printed = pages["bench/RESULTS.md"]?.([{ ...first, table: { ...first.table, targets } }, ...others]);
  expect(printed).toContain("### T\n\nn Measured 2026-01-02 with Node v24.0.0 on linux x64, 2 cores of C.\n");
  expect(printed).toMatch(/\| one \| {2}1 \|\n\n### U\n\nn Measured 2026-01-03\.\n/);
  expect(printed).toContain("### U2\n\nn\n\n");
  expect(printed).toContain("### V\n\nn Measured 2026-01-04 with Node v24.0.0 on linux x64, 4 cores of C.\n");
  expect(printed).toMatch(
    /\n\n### Targets\n\n1 of 2 targets are met\. The others:\n\n.*\n.*\n\| small \| {3}≤ 2 \| {8}3 \|$/,
  );
});

test("a spread is printed with its value", () => {
  const columns = ["", "ns", "±", "×"];
  const table = { title: "T", note: "", columns, rows: [["one", 1234, "2.5 %", 1]], targets: [] };
  expect(printTable(table)).toContain(
    "|     |        ns ± | × |\n|-----|------------:|--:|\n| one | 1,234 ±2.5% | 1 |",
  );
});

test("an excerpt of a table that lacks a row is an error", () => {
  const [first, ...others] = latestResults().filter(({ name }) => name === "w1-mix" || name === "http");
  if (first === undefined) throw new Error("there are no results");
  const shorter = { ...first, table: { ...first.table, rows: first.table.rows.slice(1) } };
  expect(() => pages["docs/performance.md"]?.([shorter, ...others])).toThrow("has no row");
});

test("the newer result of each table is kept, in the order of the tables", () => {
  const kept = [result("b", "2026-01-01", 1), result("gone", "2026-01-01", 1), result("c", "2026-01-01", 1)];
  const newer = [result("c", "2026-01-02", 2), result("a", "2026-01-02", 2)];
  const results = withResults(kept, newer, ["a", "b", "c", "d"]);
  expect(results.map(({ name, date }) => [name, date])).toEqual([
    ["a", "2026-01-02"],
    ["b", "2026-01-01"],
    ["c", "2026-01-02"],
  ]);
});

test.each(Object.entries(pages))(
  "%s has the results that are kept: else, run pnpm bench --page",
  (page, print) => {
    const text = readFileSync(fileOf(page), "utf8");
    expect(withTables(text, print(latestResults()))).toBe(text);
  },
);

test("median, quantile and spread", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(quantile([10, 20, 30, 40, 50], 0.25)).toBe(20);
  expect(spread([10, 20, 30, 40, 50])).toBeCloseTo(10 / 30);
});

test("a target is met at its limit", () => {
  expect(atMost("x", 1.15, 1.15)).toMatchObject({ met: true });
  expect(atMost("x", 1.15, 1.151)).toMatchObject({ met: false });
  expect(atLeast("x", 15, 15)).toMatchObject({ met: true });
  expect(atLeast("x", 15, 14.9)).toMatchObject({ met: false });
});

test("a random order has every item once, and differs from the given order", () => {
  const items = Array.from({ length: 500 }, (_, index) => index);
  const order = randomOrder(items);
  expect(order).not.toEqual(items);
  expect(order.toSorted((a, b) => a - b)).toEqual(items);
});
