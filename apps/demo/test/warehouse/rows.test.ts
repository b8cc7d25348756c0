import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineDecision } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { metrics } from "@decern/metrics";
import { typebox } from "@decern/schema";
import { createWarehouseFunction } from "@decern/warehouse";
import { Type } from "typebox";
import { expect, it, onTestFinished } from "vitest";

const double = defineDecision({
  id: "double",
  version: "1.0.0",
  inputSchema: typebox(Type.Object({ n: Type.Integer() })),
  outputSchema: typebox(Type.Integer()),
  profileSchema: typebox(Type.Object({})),
  rules: [{ id: "all", when: () => true, emit: ({ n }) => 2 * n }],
});

it("every row of a warehouse has a record, and metrics count it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "decern-warehouse-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const log = decisionLog({ store: ndjsonFiles(directory) });
  const measured = metrics({ enabled: true });
  const answer = createWarehouseFunction({
    engine: "redshift",
    decision: double,
    columns: ["n"],
    log,
    observers: [measured.observer],
  });
  const rows = Array.from({ length: 200 }, (_, n) => [n === 7 ? null : String(n)]);
  const { results } = JSON.parse(
    await answer({ request_id: "r", num_records: rows.length, arguments: rows }),
  );
  await log.flush();
  const recorded: [string, string][] = [];
  for await (const { requestId, status } of log.find()) recorded.push([requestId, status]);
  await log.close();
  expect(recorded).toEqual(
    results.map((result: string, row: number) => [`r.${row}`, JSON.parse(result).status]),
  );
  expect(recorded[7]).toEqual(["r.7", "INVALID_INPUT"]);
  expect(measured.collector.toPrometheus()).toMatch(/status="OK"[^\n]*\} 199\n/);
});
