import { evaluate } from "@decern/core";
import { compactText } from "@decern/core/tools";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createWarehouseFunction } from "../src/index.js";
import { loan, silent } from "./support/decisions.js";

const columns = ["amount", "name", "note", "vip", "applicant.score"] as const;

const rows = fc.array(
  fc.record({
    amount: fc.oneof(
      fc.integer({ min: -5, max: 3000 }),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
    ),
    name: fc.option(fc.string(), { nil: undefined }),
    note: fc.string(),
    vip: fc.option(fc.boolean(), { nil: undefined }),
    score: fc.option(fc.integer(), { nil: undefined }),
  }),
  { maxLength: 30 },
);

it("answers every row as evaluate does, in order, whatever the engine", async () => {
  const options = { decision: loan, columns, logger: silent } as const;
  const redshift = createWarehouseFunction({ ...options, engine: "redshift" });
  const snowflake = createWarehouseFunction({ ...options, engine: "snowflake" });
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const expected = given.map(({ amount, name, note, vip, score }) => {
        const applicant = score === undefined ? undefined : { applicant: { score } };
        const optional = { ...(name === undefined ? {} : { name }), ...(vip === undefined ? {} : { vip }) };
        try {
          return JSON.parse(compactText(evaluate(loan, { amount, note, ...optional, ...applicant })));
        } catch {
          return { status: "ERROR", code: "EVALUATION_FAILED", error: "Evaluation failed" };
        }
      });
      const sent = given.map(({ amount, name, note, vip, score }) => [
        amount,
        name ?? null,
        note,
        vip ?? null,
        score ?? null,
      ]);
      const { results } = JSON.parse(await redshift({ num_records: sent.length, arguments: sent }));
      expect(results.map((result: string) => JSON.parse(result))).toEqual(expected);
      const body = JSON.stringify({ data: sent.map((row, index) => [index, ...row]) });
      const { data } = JSON.parse((await snowflake({ body })).body);
      expect(data).toEqual(expected.map((answer, index) => [index, answer]));
    }),
    { numRuns: 60 },
  );
});
