import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { createEvaluator, type DecisionRecord } from "@decern/core";
import { type DecisionLog, decisionLog, ndjsonFiles } from "@decern/decision-log";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examplesOf, root } from "./page-examples.js";

const page = "docs/records.md";
const text = readFileSync(resolve(root, page), "utf8");
const runbook = readFileSync(resolve(root, "docs/runbook.md"), "utf8");
const blocks = examplesOf(page);
// In the demo's folder, which can import every package.
const folder = mkdtempSync(resolve(root, "apps/demo/test/examples/.records-"));
const files = resolve(folder, "files");

/** Writes a block of the page, whose log then keeps its files here. @returns its path */
function write(name: string, code: string): string {
  const path = resolve(folder, name);
  const local = code.replace('ndjsonFiles("records"', `ndjsonFiles(${JSON.stringify(files)}`);
  writeFileSync(path, local.replace(/^(?:await server\.listen\(|process\.once\().*$/gm, ""));
  return path;
}

function block(part: string): string {
  const found = blocks.find(({ code }) => code.includes(part));
  if (found === undefined) throw new Error(`${page} has no block with ${part}`);
  return found.code;
}

let log: DecisionLog;
const lines: string[] = [];

beforeAll(async () => {
  mkdirSync(files);
  for (const { title, code } of blocks) if (title !== undefined) write(title, code);
  log = (await import(resolve(folder, "log.ts"))).log;
});
afterAll(async () => {
  await log.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a block of the page. @returns what it prints */
async function run(name: string, code: string): Promise<readonly string[]> {
  const { log: print } = console;
  lines.length = 0;
  console.log = (...values: readonly unknown[]) => void lines.push(values.map(String).join(" "));
  try {
    await import(write(name, code));
  } finally {
    console.log = print;
  }
  return lines;
}

async function records(): Promise<readonly DecisionRecord[]> {
  const found: DecisionRecord[] = [];
  for await (const record of log.find()) found.push(record);
  return found;
}

/** Runs commands of the page in a shell. */
function say(commands: string, cwd: string): Promise<{ readonly code: number; readonly stdout: string }> {
  const decern = `"${process.execPath}" "${resolve(root, "apps/cli/dist/main.js")}"`;
  const env = { ...process.env, SUBJECT_KEY: "a key for trying it out" };
  return promisify(execFile)("bash", ["-c", commands.replaceAll("npx decern", decern)], { cwd, env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

describe("the guide to records", () => {
  it("shows the record that its call leaves", async () => {
    const { server } = await import(resolve(folder, "server.ts"));
    const [, payload = ""] = /^curl .* -d '(\{.*\})'/m.exec(text) ?? [];
    const headers = { "content-type": "application/json" };
    const url = "/decisions/loan-approval";
    const reply = await server.handler.inject({ method: "POST", url, headers, payload });
    expect(reply.statusCode).toBe(200);

    const [record, ...more] = await records();
    expect(more).toEqual([]);
    expect(record?.recordId).toBe(reply.headers["decern-record-id"]);
    const [, json = ""] = /^```json\n(\{\n {2}"recordVersion".*?)^```$/ms.exec(text) ?? [];
    const { build, ...shown } = JSON.parse(json);
    expect(build).toMatch(/^[0-9a-f]{7}$/);
    expect(Object.keys(record ?? {}).toSorted()).toEqual(Object.keys(shown).toSorted());
    for (const name of ["decision", "selectedBy", "status", "matchedRule", "sampleRate"] as const) {
      expect(record?.[name]).toEqual(shown[name]);
    }
    expect(record?.masked.toSorted()).toEqual(shown.masked.toSorted());
    expect(record?.payload?.input).toEqual(shown.payload.input);
    expect(Object.keys(record?.payload ?? {}).toSorted()).toEqual(Object.keys(shown.payload).toSorted());
    expect(JSON.stringify(record)).not.toMatch(/Ada|c-17/);
  });

  it("finds, shows, verifies and repeats a disputed call with the commands it names", async () => {
    const [record] = await records();
    const [, section = ""] = /^## A customer disputes a result\n(.*?)^## /ms.exec(runbook) ?? [];
    const shown = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = ""]) => code).join("\n");
    const script = shown
      .replaceAll("01920f6e-7f3a-7c44-9d0e-3c1f6a2b9e55", record?.recordId ?? "")
      .replace("sha256:…", record?.hash ?? "")
      .replace("--from 2026-03-03 --to 2026-03-04", "--from 2020-01-01 --to 2999-01-01")
      .replace(/^git checkout .*\nnpm ci$/m, "");
    symlinkSync(files, resolve(folder, "records"));

    const printed = await say(script, folder);
    expect(readFileSync(resolve(folder, "found.ndjson"), "utf8")).toContain(record?.recordId);
    expect(printed.stdout).toContain("OK, rule score-too-low");
    expect(printed.stdout).toContain("No problems found: 1 record");
    expect(printed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/✓ The result did not change\n/),
    });
  });

  it.each([
    [700, 80],
    [500, 60],
  ])(
    "sees what a limit of %d changes, though it masks the name that a rule quotes",
    async (minScore, changes) => {
      const place = mkdtempSync(resolve(folder, "scores-"));
      const { code = "" } = blocks.find(({ title }) => title === "log.ts") ?? {};
      const local = code
        .replace('ndjsonFiles("records"', `ndjsonFiles(${JSON.stringify(resolve(place, "records"))}`)
        .replace("/input/applicant", "/input/applicant/name");
      const own = resolve(folder, `log-of-${minScore}.ts`);
      writeFileSync(own, local);
      const scores: DecisionLog = (await import(own)).log;
      const explained = readFileSync(resolve(folder, "decisions.ts"), "utf8").replace(
        "emit: () => ({ approved: false })",
        // The page's own rule, whose reason quotes the name.
        "$&, explain: ({ applicant }) => applicant.name + ' has too low a score'",
      );
      expect(explained).toContain("explain:");
      writeFileSync(resolve(folder, "quoting.ts"), explained);
      const { loanApproval } = await import(resolve(folder, "quoting.ts"));
      const evaluator = createEvaluator({ log: scores });
      for (let score = 560; score < 760; score += 1)
        await evaluator.evaluate(loanApproval, {
          input: { applicant: { id: `c-${score}`, name: "Ada Byron" }, amount: 9000, score },
        });
      await scores.close();
      const profiles = resolve(place, "profiles.json");
      writeFileSync(profiles, JSON.stringify({ "loan-approval": { minScore } }));
      const printed = await say(
        `npx decern replay records --against ../quoting.ts --profiles ${profiles} --format json`,
        place,
      );
      expect(printed.code).toBe(2);
      expect(JSON.parse(printed.stdout)).toMatchObject({
        isWithin: false,
        counts: { unchanged: 200 - changes, changed: changes, inconclusive: 0 },
      });
    },
  );

  it("keeps the payload of an invalid input", async () => {
    const { server } = await import(resolve(folder, "server.ts"));
    const payload = { input: { applicant: "Ada Byron" } };
    await server.handler.inject({ method: "POST", url: "/decisions/loan-approval", payload });
    expect((await records()).at(-1)).toMatchObject({ status: "INVALID_INPUT", payload: { input: {} } });
  });

  it("finds and erases a person, and the chain holds", async () => {
    const [first] = await records();
    const printed = await run("erase.ts", block("log.erase("));
    expect(printed).toEqual([`${first?.recordId} OK`, "1 payloads erased", "true"]);
    expect((await records())[0]).toMatchObject({ recordId: first?.recordId, payload: null });
  });

  it("searches, verifies and counts", async () => {
    const file = readFileSync(resolve(root, "docs/examples/records/search.ts"), "utf8");
    const code = file.replace("2026-03-03", "2020-01-01").replace("2026-03-04", "2999-01-01");
    const printed = await run("search.ts", code);
    // The erased record is found, without its input.
    expect(printed[0]).toMatch(/^[0-9a-f-]{36} undefined$/);
    expect(printed[1]).toMatch(/^true /);
    expect(printed).toHaveLength(3);
  });
});

describe("when the disk is full", () => {
  const place = mkdtempSync(resolve(folder, "disk-"));
  const store = ndjsonFiles(resolve(place, "records"), { rotateBytes: 1 });
  const small = decisionLog({ store });
  afterAll(() => small.close());

  it("the oldest files move away while the log is open, and both places verify as the page says", async () => {
    const { loanApproval } = await import(resolve(folder, "decisions.ts"));
    const evaluator = createEvaluator({ log: small });
    const evaluate = async () => {
      await evaluator.evaluate(loanApproval, { input: {} });
      await small.flush();
    };
    for (let count = 0; count < 3; count += 1) await evaluate();
    mkdirSync(resolve(place, "archive"));
    renameSync(resolve(place, "records/1-00000001.ndjson"), resolve(place, "archive/1-00000001.ndjson"));
    await evaluate();
    const [, command = ""] =
      /`(npx decern log verify records\/\*\.ndjson archive\/[^`]*)`/.exec(runbook) ?? [];
    expect(await say(command, place)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No problems found: 4 records"),
    });
    expect(await say("npx decern log verify records", place)).toMatchObject({ code: 2 });
  });
});

describe("the guide for auditors", () => {
  it("links to the script that the tests of files run, which the package contains", () => {
    const folder = resolve(root, "packages/decision-log");
    expect(readFileSync(resolve(root, "docs/audit.md"), "utf8")).toContain(
      "(../packages/decision-log/verify.py)",
    );
    expect(JSON.parse(readFileSync(resolve(folder, "package.json"), "utf8")).files).toContain("verify.py");
    expect(readFileSync(resolve(folder, "verify.py"), "utf8")).toContain("python3 verify.py FILE");
  });
});
