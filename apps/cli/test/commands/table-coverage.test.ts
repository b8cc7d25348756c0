import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEvaluator, type Decision, defineDecision } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { readTable } from "@decern/table";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../data/support.js";
import { fee } from "../support/contracts.mjs";
import { decern } from "../support/decern.js";
import { contracts, feeTable } from "../support/fee-tables.js";

const rows = [
  "light;home;<= 2;4.5;post;",
  "heavy;home;(2..20];7;post;",
  "abroad;abroad;-;20;air;",
  "rare;home;(20..25];9;post;",
];

const tableOf = (text: string) => readTable(fee, { name: "fee.csv", bytes: Buffer.from(text) });

const day = 86_400_000;

type Input = { readonly zone: "home" | "abroad"; readonly weightKg: number };

/** Records evaluations of some days ago. */
async function record(folder: string, calls: readonly (readonly [Decision, Input, daysAgo: number])[]) {
  const log = decisionLog({ store: ndjsonFiles(join(folder, "records")), durable: "reply" });
  for (const [decision, input, daysAgo] of calls) {
    const now = Date.now() - daysAgo * day;
    const clock = { now: () => now, monotonic: () => performance.now() };
    await createEvaluator({ log, clock }).evaluate(decision, { input });
  }
  await log.close();
}

function site(text = feeTable(rows)) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "fee.csv"), text);
  const coverage = (...args: readonly string[]) =>
    decern(["table", "coverage", "fee.csv", "--contract", contracts, "--log", "records", ...args], {
      cwd: folder,
    });
  return { folder, coverage };
}

const home = (weightKg: number): Input => ({ zone: "home", weightKg });

describe("decern table coverage", () => {
  it("counts the hits of each row, names the rows without any, and other contents apart", async () => {
    const { folder, coverage } = site();
    const table = tableOf(feeTable(rows));
    const older = tableOf(feeTable(rows.slice(0, 2), "0.9.0"));
    await record(folder, [
      [older, home(1), 3],
      [older, home(1), 2],
      [table, home(1), 2],
      [table, home(1), 1],
      [table, home(3), 1],
      [table, home(28), 1],
      [table, { zone: "abroad", weightKg: 1 }, 100],
    ]);
    const { code, stdout, stderr } = await coverage();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const instant = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z";
    const lines = [
      `version 1\\.0\\.0, content sha256:[0-9a-f]{64}: 4 evaluations since ${instant}`,
      `2  "light", last ${instant}`,
      `1  "heavy", last ${instant}`,
      '0  "abroad"',
      '0  "rare"',
      'no input met rows "abroad", "rare"',
      "1 evaluation hit no row",
      `not counted: 2 evaluations by version 0\\.9\\.0, content sha256:[0-9a-f]{64}, from ${instant} to ${instant}`,
    ];
    expect(stdout).toMatch(new RegExp(`^${lines.join("\n")}\n$`));
    const since = JSON.parse((await coverage("--since", "101d", "--json")).stdout);
    expect(since.rows.map(({ rule, hits }: { rule: string; hits: number }) => [rule, hits])).toEqual([
      ["light", 2],
      ["heavy", 1],
      ["abroad", 1],
      ["rare", 0],
    ]);
    expect(since).toMatchObject({
      table: "fee",
      version: "1.0.0",
      contentHash: table.contentHash,
      evaluations: 5,
      withoutRow: 1,
      onlyFirst: 0,
      sampled: 0,
      others: [{ version: "0.9.0", contentHash: older.contentHash, evaluations: 2 }],
    });
  });

  it("counts every row that a result is made of, and evaluations for other decisions", async () => {
    const any = ["a;-;-;1;post;", "b;-;> 2;1;post;"];
    const { folder, coverage } = site(feeTable(any, "1.0.0", "A"));
    const table = tableOf(feeTable(any, "1.0.0", "A"));
    const parent = defineDecision({
      id: "order",
      version: "1.0.0",
      inputSchema: fee.inputSchema,
      outputSchema: z.object({ status: z.string() }),
      profileSchema: z.object({}),
      uses: [table],
      rules: [
        {
          id: "any",
          when: () => true,
          emit: (input, _profile, context) => ({ status: context.evaluate(table, input).status }),
        },
      ],
    });
    await record(folder, [
      [table, home(3), 0],
      [parent, home(3), 0],
    ]);
    const found = JSON.parse((await coverage("--json")).stdout);
    expect(found).toMatchObject({
      evaluations: 2,
      rows: [
        { rule: "a", hits: 2 },
        { rule: "b", hits: 2 },
      ],
    });
  });

  it("2: no record was made by this table", async () => {
    const { folder, coverage } = site();
    await record(folder, [[tableOf(feeTable(rows.slice(0, 2), "0.9.0")), home(1), 1]]);
    const { code, stdout } = await coverage();
    expect(code).toBe(2);
    expect(stdout).toMatch(/: 0 evaluations since .*\nnot counted: 1 evaluation by version 0\.9\.0/);
    expect(stdout).not.toMatch(/no input met/);
  });

  it.each([
    [
      "a time without a unit",
      ["--since", "90"],
      /--since must be hours, days or weeks such as 90d, not "90"/,
    ],
    ["a day that doesn't exist", ["--since", "2026-02-30"], /--since must be a day/],
  ])("1: %s", async (_what, args, sentence) => {
    const { coverage } = site();
    const { code, stderr } = await coverage(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
  });
});
