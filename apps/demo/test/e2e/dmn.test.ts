import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bulkFile } from "@decern/bulk";
import { createEvaluator, type SourceLoad } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { analyzeDmnTables, dmnContract, loadDmn } from "@decern/dmn";
import { explain } from "@decern/explain";
import { replay } from "@decern/replay";
import { createServer } from "@decern/server";
import { openTable } from "@decern/table/browser";
import { checkLock, updateLock } from "@decern/testing";
import { watchDecisions } from "@decern/watch";
import { describe, expect, it, onTestFinished } from "vitest";
import { runLevel } from "../../../../packages/dmn/test/support/tck.js";
import { collect } from "../../../../test/support/collect.js";
import { temporaryFolder } from "./table/fee-table.js";

const quiet = { error: () => {}, warn: () => {} };

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
    const decisions = loadDmn([{ name: "loans.dmn", text: model }]);
    const log = decisionLog({ store: ndjsonFiles(temporaryFolder()) });
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

describe("the trace of a model, for its page", () => {
  const elements = `<inputData name="Sum" id="sum"><variable name="Sum" typeRef="number"/></inputData>
    <businessKnowledgeModel name="Double" id="double"><variable name="Double"/><encapsulatedLogic><formalParameter name="n"/>
      <literalExpression><text>n * 2</text></literalExpression></encapsulatedLogic></businessKnowledgeModel>
    <decision name="Doubled" id="doubled"><variable name="Doubled"/>
      <informationRequirement><requiredInput href="#sum"/></informationRequirement>
      <knowledgeRequirement><requiredKnowledge href="#double"/></knowledgeRequirement>
      <literalExpression><text>Double(Sum)</text></literalExpression></decision>
    <decision name="Due" id="due"><variable name="Due"/>
      <informationRequirement><requiredDecision href="#doubled"/></informationRequirement>
      <literalExpression><text>@"2026-01-01" + duration("P" + string(Doubled) + "D")</text></literalExpression></decision>
    <decisionService name="Service" id="service"><variable name="Service"/>
      <outputDecision href="#due"/><encapsulatedDecision href="#doubled"/><inputData href="#sum"/></decisionService>`;
  const text = `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" name="m" namespace="urn:m">${elements}</definitions>`;
  const { handler } = createServer({ decisions: loadDmn([{ name: "m.dmn", text }]), logger: false });

  it.each(["Due", "Service"])("has what each element came to, but no function: %s", async (id) => {
    const url = `/docs/decisions/${id}`;
    const reply = await handler.inject({ method: "POST", url, payload: { input: { Sum: 3 } } });
    expect(reply.json()).toMatchObject({
      envelope: { status: "OK", data: { [id]: "2026-01-07" } },
      parts: { "urn:m#sum": 3, "urn:m#doubled": 6, "urn:m#due": "2026-01-07" },
    });
    expect(Object.keys(reply.json().parts)).toHaveLength(3);
  });

  it("is not part of replies to others", async () => {
    const url = "/decisions/Due";
    const reply = await handler.inject({ method: "POST", url, payload: { input: { Sum: 3 } } });
    expect(reply.body).not.toContain("doubled");
  });
});

describe("a DMN model that changes while the server runs", () => {
  /** A server whose model a test replaces. */
  const served = async (contract: "same" | "any") => {
    let text = model;
    const loads: SourceLoad[] = [];
    let load = (): void => {};
    const decisions = watchDecisions({
      load: () => ({ decisions: [{ name: "loans.dmn", bytes: new TextEncoder().encode(text) }] }),
      contracts: [dmnContract(["Rate"], { logger: quiet })],
      contract,
      keepVersions: 1,
      everyMs: 60_000,
      wake: (now) => {
        load = now;
      },
    });
    const { handler, close } = createServer({
      decisions,
      explain: explain(),
      logger: false,
      observers: [{ onEvaluated: () => {}, onDecisionsLoaded: (told) => void loads.push(told) }],
    });
    onTestFinished(() => close());
    const post = async (path: string, input: unknown) => {
      const reply = await handler.inject({ method: "POST", url: `/decisions/${path}`, payload: { input } });
      return { status: reply.statusCode, body: reply.json() };
    };
    const publish = async (next: string) => {
      const before = loads.length;
      text = next;
      load();
      await expect.poll(() => loads.length).toBeGreaterThan(before);
      return loads.at(-1);
    };
    await expect.poll(() => loads.length).toBeGreaterThan(0);
    return { post, publish, handler };
  };
  const cheaper = model.replace("<text>0.1</text>", "<text>0.05</text>");
  const otherInput = model.replace(`typeRef="number"/></inputData>`, `typeRef="string"/></inputData>`);

  it("takes over changed rows, and keeps the version before", async () => {
    const { post, publish, handler } = await served("same");
    const before = await post("Rate", { Score: 700 });
    expect(before).toMatchObject({ status: 200, body: { data: { Rate: 0.1 } } });
    expect(await publish(cheaper)).toMatchObject({ outcome: "loaded" });
    const after = await post("Rate", { Score: 700 });
    expect(after).toMatchObject({ status: 200, body: { data: { Rate: 0.05 } } });
    const { decisionVersion } = before.body.meta;
    expect(after.body.meta.decisionVersion).not.toBe(decisionVersion);
    expect(await post(`Rate/versions/${decisionVersion}`, { Score: 700 })).toMatchObject({
      body: { data: { Rate: 0.1 } },
    });
    const explained = await handler.inject({
      method: "POST",
      url: "/decisions/Rate/explain",
      payload: { input: { Score: 600 } },
    });
    expect(explained.json()).toMatchObject({
      fields: [{ path: "/Score", flips: [{ to: 620 }, { to: null }] }],
    });
  });

  it("keeps the model in use if the next is broken, or has other schemas", async () => {
    const { post, publish } = await served("same");
    expect(await publish("<definitions>")).toMatchObject({ outcome: "failed" });
    expect(await publish(otherInput)).toMatchObject({ outcome: "failed" });
    expect(await post("Rate", { Score: 700 })).toMatchObject({ status: 200, body: { data: { Rate: 0.1 } } });
  });

  it("takes over other schemas where the contract is any", async () => {
    const { post, publish } = await served("any");
    expect(await publish(otherInput)).toMatchObject({ outcome: "loaded" });
    expect(await post("Rate", { Score: 700 })).toMatchObject({ status: 400 });
    expect(await post("Rate", { Score: "700" })).toMatchObject({
      status: 200,
      body: { data: { Rate: null } },
    });
  });
});

describe("a DMN model in tools", () => {
  const moduleOf = (text: string, version = "1.0.0") => ({
    decisions: loadDmn([{ name: "loans.dmn", text }], { version, logger: quiet }),
  });

  it("replays records with the model that the log kept as the baseline", async () => {
    const log = decisionLog({ store: ndjsonFiles(temporaryFolder()), durable: "reply", logger: quiet });
    onTestFinished(() => log.close());
    const evaluator = createEvaluator({ log });
    const [rate] = moduleOf(model).decisions;
    if (rate === undefined) throw new Error("no decision");
    for (const Score of [600, 700, null]) await evaluator.evaluate(rate, { input: { Score } });
    const changed = moduleOf(model.replace("<text>0.1</text>", "<text>0.05</text>"), "1.1.0");
    const report = await replay(log, changed, { baseline: "log" });
    expect(report).toMatchObject({ controlled: 3, counts: { unchanged: 2, changed: 1, notReproducible: 0 } });
  });

  it("is locked, and a limit that moves is found", () => {
    const { lock } = updateLock(moduleOf(model), undefined, { runs: 2000 });
    if (lock === undefined) throw new Error("nothing was locked");
    expect(checkLock(moduleOf(model), lock).differences).toEqual([]);
    const moved = moduleOf(model.replace("&lt; 620", "&lt; 621").replace("&gt;= 620", "&gt;= 621"));
    expect(checkLock(moved, lock).differences).toMatchObject([
      { decisionId: "Rate", smallest: { input: { Score: 620 } } },
    ]);
  });

  it("decides each line of a file", async () => {
    const folder = temporaryFolder();
    const input = join(folder, "scores.ndjson");
    writeFileSync(input, '{"Score":600}\n{"Score":"high"}\n{"Score":null}\n');
    const [decision] = moduleOf(model).decisions;
    if (decision === undefined) throw new Error("no decision");
    const { counts } = await bulkFile({ input, output: join(folder, "out"), work: { decision } });
    expect(counts).toMatchObject({ OK: 2, INVALID_INPUT: 1 });
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
