import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEvaluator } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { afterAll, beforeAll, expect, it } from "vitest";
import { documentAccessExamples } from "../../src/decisions/document-access.js";
import { documentAccess, loanApproval, profiles } from "../../src/decisions/index.js";
import { loanApprovalExamples } from "../../src/decisions/loan-approval.js";

const script = fileURLToPath(new URL("../../../../packages/decision-log/verify.py", import.meta.url));
const quiet = { error: () => {}, warn: () => {}, info: () => {} };
let directory = "";

function open(place: string) {
  return decisionLog<readonly [typeof documentAccess, typeof loanApproval]>({
    store: ndjsonFiles(place),
    subject: { key: "a key for tests only", of: { "document-access": ({ user }) => user?.id } },
    durable: "reply",
    logger: quiet,
  });
}

/** Runs a program to its end. */
function run(
  program: string,
  ...given: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(program, given, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

async function fileIn(place: string): Promise<string> {
  const names = (await readdir(place)).filter((name) => /^[1-9].*\.ndjson$/.test(name));
  expect(names).toHaveLength(1);
  return join(place, names[0] ?? "");
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "decern-verify-"));
  const log = open(directory);
  const evaluator = createEvaluator({ log, logger: quiet });
  for (const { input, profile } of [...loanApprovalExamples, ...loanApprovalExamples]) {
    const call: { input: unknown; profile: unknown } = {
      input,
      profile: profile ?? profiles["loan-approval"],
    };
    await evaluator.evaluate(loanApproval, call);
  }
  for (const { input } of documentAccessExamples) {
    for (const salt of ["", "not-the-salt-of-record"]) {
      const more: unknown = {
        ...input,
        salt,
        payload: { salt },
        payloadHash: '\u2028 "payload":null ',
        tiny: 1e-9,
      };
      const call: { input: unknown; profile: unknown } = { input: more, profile: {} };
      await evaluator.evaluate(documentAccess, call);
    }
  }
  await log.close();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it("a file as it was written passes", async () => {
  const { code, output } = await run("python3", script, await fileIn(directory));
  expect(output).toMatch(/^last hash: b'sha256:[0-9a-f]{64}'\n$/);
  expect(code).toBe(0);
});

it("one changed byte anywhere makes it fail, and names the record", async () => {
  const bytes = await readFile(await fileIn(directory));
  const copy = await mkdtemp(join(tmpdir(), "decern-flipped-"));
  const path = join(copy, "1-00000001.ndjson");
  for (let run_ = 0; run_ < Number(process.env["FLIPS"] ?? 80); run_ += 1) {
    const at = Math.floor(Math.random() * bytes.length);
    const flipped = Buffer.from(bytes);
    flipped[at] = (bytes[at] ?? 0) ^ (1 + Math.floor(Math.random() * 255));
    await writeFile(path, flipped);
    const line = bytes.subarray(0, at).toString("latin1").split("\n").length;
    const what = `byte ${at} of line ${line}: ${bytes[at]} became ${flipped[at]}`;

    const { code, output } = await run("python3", script, path);
    expect(code, what).toBe(1);
    expect(output, what).toMatch(new RegExp(`^line ${line}:`, "m"));

    const log = open(copy);
    const { ok, problems } = await log.verify();
    await log.close();
    expect(ok, what).toBe(false);
    expect(
      problems.map((problem) => problem.at),
      what,
    ).toContain(`1-00000001.ndjson:${line}`);
  }
  await rm(copy, { recursive: true });
});

it("the first record of a log cannot be removed, but the file that keepDays left begins anywhere", async () => {
  const lines = (await readFile(await fileIn(directory), "utf8")).split("\n");
  const copy = await mkdtemp(join(tmpdir(), "decern-first-"));
  const [first, second] = [join(copy, "1-00000001.ndjson"), join(copy, "1-00000002.ndjson")];
  const at = lines.findIndex((line) => line.includes('"recordId"'));
  for (const path of [first, second]) await writeFile(path, lines.toSpliced(at, 1).join("\n"));
  expect(await run("python3", script, first)).toMatchObject({
    code: 1,
    output: expect.stringMatching(new RegExp(`^line ${at + 1}:.*\nlast hash`)),
  });
  expect((await run("python3", script, second)).code).toBe(0);
  await rm(copy, { recursive: true });
});

it("grep does not find a person who was erased, and the chain still verifies", async () => {
  const log = open(directory);
  expect((await run("grep", "-rc", '"id":"amara"', directory)).code).toBe(0);
  const { records } = await log.erase({ subject: "amara" });
  expect(records).toBeGreaterThan(0);
  expect(await run("grep", "-r", "amara", directory)).toEqual({ code: 1, output: "" });
  const found = [];
  for await (const record of log.find({ subject: "amara" })) found.push(record.payload);
  expect(found).toEqual(Array.from({ length: records }, () => null));
  expect((await log.verify()).problems).toEqual([]);
  await log.close();
  expect(await run("python3", script, await fileIn(directory))).toMatchObject({ code: 0 });
  const noted = join(directory, "0-00000001.ndjson");
  expect(await run("python3", script, noted)).toMatchObject({ code: 0 });
  await writeFile(noted, (await readFile(noted, "utf8")).replace(/"records":\d+/, '"records":0'));
  expect(await run("python3", script, noted)).toMatchObject({ code: 1 });
});
