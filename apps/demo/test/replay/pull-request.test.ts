import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEvaluator } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { expect, it, onTestFinished } from "vitest";
import { CiJob } from "./ci-job.js";

/** A module of one decision, as a pull request changes it. */
function moduleWith(threshold: number): string {
  return `
import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { Type } from "typebox";

export const loanApproval = defineDecision({
  id: "loan-approval",
  version: "1.2.0",
  inputSchema: typebox(Type.Object({ score: Type.Integer() })),
  outputSchema: typebox(Type.Object({ rate: Type.Number() })),
  profileSchema: typebox(Type.Object({})),
  rules: [
    {
      id: "prime",
      when: (input) => input.score >= ${threshold},
      emit: () => ({ rate: 4.9 }),
      explain: (input) => "Score " + input.score,
    },
    { id: "standard", when: () => true, emit: () => ({ rate: 12.9 }) },
  ],
});

export const decisions = [loanApproval];
`;
}

/** A job of a workflow, in a repository of its own. */
async function started(name: string): Promise<CiJob> {
  // In the demo's folder, which can import every package.
  const job = new CiJob(name, mkdtempSync(join(import.meta.dirname, ".pull-request-")));
  await job.start();
  onTestFinished(async () => {
    await job.end();
    rmSync(job.folder, { recursive: true, force: true });
  });
  return job;
}

/** Checks out a pull request that changes the threshold, with records of before. */
async function checkedOut(threshold: number): Promise<CiJob> {
  const runner = await started("replay");
  for (const [place, value] of [
    ["src/decisions", threshold],
    ["before/src/decisions", 740],
  ] as const) {
    mkdirSync(join(runner.folder, place), { recursive: true });
    writeFileSync(join(runner.folder, place, "index.ts"), moduleWith(value));
  }
  const { loanApproval } = await import(join(runner.folder, "before/src/decisions/index.ts"));
  const log = decisionLog({
    store: ndjsonFiles(join(runner.folder, "records")),
    logger: { error: console.error },
  });
  const evaluator = createEvaluator({ log });
  for (let score = 700; score < 800; score += 1) await evaluator.evaluate(loanApproval, { input: { score } });
  await log.close();
  return runner;
}

const replayed = { TITLE: "Replay of 4f2c1e9" };

it("comments with how many answers change, and fails the check", async () => {
  const runner = await checkedOut(745);
  expect(await runner.step("Replay", replayed)).toMatchObject({ code: 0 });
  expect(runner.read("output")).toBe("status=2\n");
  expect(await runner.step("Comment")).toMatchObject({ code: 0 });
  expect(runner.gitHub.comments).toHaveLength(1);
  const body = runner.gitHub.comments[0]?.body ?? "";
  expect(body).toContain("Replay of 4f2c1e9: 5 of 100 results changed");
  expect(body).toContain("<code>OK/prime</code> | <code>OK/standard</code>");
  expect(body).toContain("<code>4.9</code> → <code>12.9</code>");
  expect(body).not.toContain("Score 740");
  expect(runner.read("summary")).toContain("5 of 100 results changed");
  expect(runner.read("replay.html")).toContain("5 of 100 results changed");
  expect(runner.read("replay.xml")).toContain("<failure");
  expect((await runner.step("Fail if more changed than allowed")).code).toBe(1);
});

it("replaces its comment when the pull request changes, and nobody else's", async () => {
  const runner = await checkedOut(740);
  for (let index = 0; index < 120; index += 1) runner.gitHub.add("LGTM", "User");
  runner.gitHub.add("<!-- decern replay -->\nNot by a bot", "User");
  await runner.step("Replay", replayed);
  expect(runner.read("output")).toBe("status=0\n");
  await runner.step("Comment");
  writeFileSync(join(runner.folder, "replay.md"), "A later report\n");
  await runner.step("Comment");
  expect(runner.gitHub.comments).toHaveLength(122);
  expect(runner.gitHub.comments[120]?.body).toContain("Not by a bot");
  expect(runner.gitHub.comments[121]?.body).toBe("<!-- decern replay -->\nA later report\n");
});

it("leaves the report in the summary where the token may not comment", async () => {
  const runner = await checkedOut(745);
  runner.gitHub.isReadOnly = true;
  await runner.step("Replay", replayed);
  const { code, said } = await runner.step("Comment");
  expect(code).toBe(0);
  expect(said).toContain("::warning::");
  expect(runner.gitHub.comments).toEqual([]);
  expect(runner.read("summary")).toContain("5 of 100 results changed");
});

it("leaves to the summary what one comment has no room for", async () => {
  const runner = await started("table");
  for (const [file, character] of [
    ["diff.md", "d"],
    ["replay.md", "r"],
  ] as const)
    writeFileSync(join(runner.folder, file), `${character.repeat(59_000)}\n`);
  expect(await runner.step("Comment")).toMatchObject({ code: 0 });
  expect(runner.gitHub.comments).toHaveLength(1);
  expect(runner.gitHub.comments[0]?.body).toMatch(/^<!-- decern table -->\nd+\n\n_More is in the summary/);
  expect(runner.read("summary")).toMatch(/^d+\n\nr+\n$/);
});

it("fails when the replay cannot run, and when GitHub refuses", async () => {
  const runner = await checkedOut(740);
  expect((await runner.step("Replay", { ...replayed, MODULE: "missing.ts" })).code).toBe(1);
  await runner.step("Replay", replayed);
  const { code, said } = await runner.step("Comment", { GITHUB_TOKEN: "another" });
  expect(code).not.toBe(0);
  expect(said).toContain("Bad credentials");
});

it.each(["replay", "table"])("passes no text of a pull request to a shell: %s", (name) => {
  // Only env and with may have expressions: what GitHub puts into a script would run.
  const { scripts } = new CiJob(name, "");
  expect(scripts.length).toBeGreaterThan(4);
  expect(scripts.filter((script) => script.run.includes("${{"))).toEqual([]);
});
