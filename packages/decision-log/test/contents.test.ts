import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEvaluator, type DecisionRecord, defineDecision } from "@decern/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { collect } from "../../../test/support/collect.js";
import { documentedFee, hashOf } from "../../../test/support/documented-fee.js";
import { type DecisionLogOptions, decisionLog, ndjsonFiles, recordEncoder } from "../src/index.js";
import { anything } from "./support/decisions.js";
import { chainErrors, schemaErrors } from "./support/judge-records.js";
import { quietLogger } from "./support/recording-logger.js";

const document = { any: 7, light: 5 };
const contentHash = hashOf(document);
const fee = documentedFee(document);

/** A decision of rules that uses the fee. */
const order = defineDecision({
  id: "order",
  version: "1.0.0",
  uses: [fee],
  inputSchema: anything,
  outputSchema: anything,
  profileSchema: anything,
  rules: [
    {
      id: "all",
      when: () => true,
      emit: (_input, _profile, context) => ({ status: context.evaluate(fee, { weight: 1 }).status }),
    },
  ],
});

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "decern-contents-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function record(
  decisions: readonly (typeof fee | typeof order)[],
  options: Partial<DecisionLogOptions> = {},
): Promise<readonly DecisionRecord[]> {
  const log = decisionLog({ store: ndjsonFiles(directory), logger: quietLogger(), ...options });
  const evaluator = createEvaluator({ log, logger: false });
  const input: unknown = { weight: 1 };
  for (const decision of decisions) await evaluator.evaluate(decision, { input });
  const records = await collect(log.find());
  await log.close();
  return records;
}

async function onlyFile(): Promise<string> {
  const [file = ""] = (await readdir(directory)).filter((name) => name.endsWith(".ndjson"));
  return join(directory, file);
}

async function linesOf(path: string): Promise<readonly string[]> {
  return (await readFile(path, "utf8")).trimEnd().split("\n");
}

const problemsOf = async () => (await decisionLog({ store: ndjsonFiles(directory) }).verify()).problems;

it("is named by the record of a decision of logic beside the profile, and by that of one that used it", async () => {
  const [own, using] = await record([fee, order]);
  expect(own?.contentHash).toBe(contentHash);
  expect(own?.decision).toEqual({ id: "fee", version: "1.0.0" });
  expect(using).not.toHaveProperty("contentHash");
  expect(using?.payload?.used).toMatchObject([{ id: "fee", contentHash }]);
});

it("is a line of a file before the first record that names it, once, and all lines are as published", async () => {
  await record([order, fee, order, fee]);
  const lines = await linesOf(await onlyFile());
  const line = `{"content":{"any":7,"light":5},"contentHash":"${contentHash}","mediaType":"application/vnd.test.fee+json","recordVersion":1}`;
  expect(lines.filter((one) => one.startsWith('{"content":'))).toEqual([line]);
  expect(lines.indexOf(line)).toBeLessThan(lines.findIndex((one) => one.includes('"recordId"')));
  expect(lines.flatMap(schemaErrors)).toEqual([]);
  expect(chainErrors(lines.filter((one) => one.includes('"recordId"')))).toEqual([]);
  expect(await problemsOf()).toEqual([]);
});

it("is named, too, where something of the payload or all of it is left out", async () => {
  const [masked] = await record([order], { mask: { fee: ["/result/data/fee"] } });
  expect(masked?.payload?.used).toMatchObject([{ id: "fee", contentHash }]);
  const failing = () => {
    throw new Error("no subject");
  };
  const [without] = (
    await record([fee], { subject: { key: "a key of sixteen bytes, or more", of: { fee: failing } } })
  ).slice(-1);
  expect(without).toMatchObject({ payload: null, contentHash });
  expect(await problemsOf()).toEqual([]);
});

it.each([
  ["is missing", () => []],
  ["was changed", (line: string) => [line.replace('"any":7', '"any":8')]],
])("is told of by a check if it %s", async (_name, change) => {
  await record([fee, order]);
  const path = await onlyFile();
  const lines = await linesOf(path);
  const changed = lines.flatMap((line) => (line.startsWith('{"content":') ? change(line) : [line]));
  await writeFile(path, `${changed.join("\n")}\n`);
  const message = `the content ${contentHash} that its decision was made from is missing`;
  expect((await problemsOf()).filter(({ kind }) => kind === "content")).toMatchObject([{ message }]);
  expect(await ndjsonFiles(directory).content(contentHash)).toBeUndefined();
});

it("is not looked for in what a caller sent", async () => {
  const log = decisionLog({ store: ndjsonFiles(directory), logger: quietLogger() });
  const evaluator = createEvaluator({ log, logger: false });
  const input: unknown = { content: { any: 0 }, contentHash, mediaType: "text/plain" };
  await evaluator.evaluate(order, { input });
  await evaluator.evaluate(fee, { input: { weight: 1 } });
  await log.flush();
  expect(await log.content(contentHash)).toMatchObject({ document });
  await log.close();
});

it("is a line of a part of a bulk job, too, once", () => {
  const part = recordEncoder().encodePart({ epochMs: 0, build: undefined, secret: Buffer.alloc(32) });
  const encode = (line: number) =>
    part.encode({
      line,
      decision: fee,
      input: { weight: 1 },
      profile: {},
      used: [],
      result: undefined,
      error: undefined,
    });
  const lines = [encode(1), encode(2)].flatMap((text) => text.split("\n"));
  expect(lines.filter((line) => line.startsWith('{"content":'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes(`"contentHash":"${contentHash}","decision":`))).toHaveLength(2);
  expect(lines.flatMap(schemaErrors)).toEqual([]);
});
