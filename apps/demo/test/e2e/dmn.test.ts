import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { analyzeDmnTables, loadDmn } from "@decern/dmn";
import { createServer } from "@decern/server";
import { openTable } from "@decern/table/browser";
import { describe, expect, it, onTestFinished } from "vitest";
import { runLevel } from "../../../../packages/dmn/test/support/tck.js";
import { collect } from "../../../../test/support/collect.js";

const model = `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" name="loans" namespace="urn:loans">
  <inputData name="Score" id="score"><variable name="Score" typeRef="number"/></inputData>
  <decision name="Rate" id="rate">
    <variable name="Rate" typeRef="number"/>
    <informationRequirement><requiredInput href="#score"/></informationRequirement>
    <decisionTable hitPolicy="UNIQUE">
      <input><inputExpression typeRef="number"><text>Score</text></inputExpression></input>
      <output name="rate" typeRef="number"/>
      <rule><inputEntry><text>&lt; 620</text></inputEntry><outputEntry><text>0.1 + 0.2</text></outputEntry></rule>
      <rule><inputEntry><text>&gt;= 620</text></inputEntry><outputEntry><text>0.1</text></outputEntry></rule>
    </decisionTable>
  </decision>
</definitions>`;

describe("a DMN model behind HTTP", () => {
  it("replies to the technology compatibility kit as evaluations in process do", async () => {
    const kit = new URL("../../../../packages/dmn/test/tck/", import.meta.url).pathname;
    const { failed, total } = await runLevel(kit, "compliance-level-2", (decisions) => {
      const { handler, close } = createServer({ decisions, docs: false, logger: false });
      return {
        close,
        ask: async ({ id }, input) => {
          const url = `/decisions/${encodeURIComponent(id)}`;
          const reply = await handler.inject({ method: "POST", url, payload: { input } });
          if (reply.statusCode !== 200) throw new Error(reply.body);
          return reply.json().data;
        },
      };
    });
    expect(total).toBe(81);
    expect(failed).toEqual([]);
  });

  it("decides, rejects what its types don't allow, and is recorded with its document", async () => {
    const directory = await mkdtemp(join(tmpdir(), "decern-dmn-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const decisions = loadDmn([{ name: "loans.dmn", text: model }]);
    const log = decisionLog({ store: ndjsonFiles(directory) });
    const { handler, close } = createServer({ decisions, log, docs: false, logger: false });
    onTestFinished(() => close());
    const post = async (input: unknown) => {
      const reply = await handler.inject({ method: "POST", url: "/decisions/Rate", payload: { input } });
      return { status: reply.statusCode, body: reply.json() };
    };
    expect(await post({ Score: 600 })).toMatchObject({
      status: 200,
      body: { data: { Rate: 0.3 }, meta: { matchedRule: "Rate/1" } },
    });
    expect(await post({ Score: "high" })).toMatchObject({ status: 400, body: { status: "INVALID_INPUT" } });
    await log.flush();
    const [record] = await collect(log.find({ rule: "Rate/1" }));
    const { contentHash = "" } = record ?? {};
    expect(contentHash).toBe(decisions[0]?.contentHash);
    expect(JSON.stringify(await log.content(contentHash))).toContain("loans.dmn");
    expect((await log.verify()).ok).toBe(true);
  });
});

describe("the tables of a DMN model", () => {
  it("have the analysis of tables", () => {
    const text = model
      .replace("&lt; 620", "[300..650]")
      .replace(`typeRef="number"/></inputData>`, `typeRef="tScore"/></inputData>`)
      .replace(
        "<inputData",
        `<itemDefinition name="tScore"><typeRef>number</typeRef><allowedValues><text>[0..850]</text></allowedValues></itemDefinition><inputData`,
      );
    const tables = analyzeDmnTables([{ name: "loans.dmn", text }], ({ contract, document }) => {
      const table = openTable(contract, { hash: "", mediaType: "application/json", document });
      return "problems" in table
        ? { notAnalysed: table.problems.join("; ") }
        : { findings: table.analyze({}) };
    });
    expect(tables).toMatchObject([
      {
        decision: "Rate",
        findings: {
          overlaps: [{ rules: ["Rate/1", "Rate/2"], isError: true }],
          gaps: [{ box: ["< 300"] }],
          undecided: [],
        },
      },
    ]);
  });
});
