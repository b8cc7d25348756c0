import { execFile } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { createEvaluator } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../examples/page-examples.js";
import type { Listening } from "../support/listening.js";
import { FakeGitHub } from "./fake-github.js";

const example = resolve(root, "docs/examples/replay-pull-request");
const workflow = parse(readFileSync(join(example, "replay.yml"), "utf8"));

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

/** The checked-out repository of a pull request, with records, and a GitHub. */
class Runner {
  readonly gitHub = new FakeGitHub();
  // In the demo's folder, which can import every package.
  readonly folder = mkdtempSync(join(import.meta.dirname, ".pull-request-"));
  #listening: Listening | undefined;

  async start(threshold: number): Promise<void> {
    this.#listening = await this.gitHub.start();
    for (const [place, value] of [
      ["src/decisions", threshold],
      ["before/src/decisions", 740],
    ] as const) {
      mkdirSync(join(this.folder, place), { recursive: true });
      writeFileSync(join(this.folder, place, "index.ts"), moduleWith(value));
    }
    mkdirSync(join(this.folder, ".github"));
    copyFileSync(join(example, "replay-comment.mjs"), join(this.folder, ".github/replay-comment.mjs"));
    mkdirSync(join(this.folder, "bin"));
    const command = `#!/bin/sh\n[ "$1" = decern ] || exit 99\nshift\nexec node ${join(root, "apps/cli/dist/main.js")} "$@"\n`;
    writeFileSync(join(this.folder, "bin/npx"), command);
    chmodSync(join(this.folder, "bin/npx"), 0o755);
    await this.#record();
  }

  async #record(): Promise<void> {
    const { loanApproval } = await import(join(this.folder, "before/src/decisions/index.ts"));
    const log = decisionLog({
      store: ndjsonFiles(join(this.folder, "records")),
      logger: { error: console.error },
    });
    const evaluator = createEvaluator({ log });
    for (let score = 700; score < 800; score += 1)
      await evaluator.evaluate(loanApproval, { input: { score } });
    await log.close();
  }

  /** Runs the script of a step with bash, as GitHub does. */
  async step(
    name: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number; said: string }> {
    const step = workflow.jobs.replay.steps.find((one: { name?: string }) => one.name === name);
    return await new Promise((done) => {
      const options = {
        cwd: this.folder,
        env: {
          PATH: `${join(this.folder, "bin")}:${process.env["PATH"]}`,
          ...workflow.jobs.replay.env,
          GITHUB_API_URL: this.#listening?.url ?? "",
          GITHUB_REPOSITORY: "decern/loans",
          GITHUB_TOKEN: "a-token",
          GITHUB_OUTPUT: join(this.folder, "output"),
          GITHUB_STEP_SUMMARY: join(this.folder, "summary"),
          PULL_REQUEST: "17",
          TITLE: "Replay of 4f2c1e9",
          ...env,
        },
      };
      execFile("bash", ["-e", "-c", step.run], options, (error, stdout, stderr) => {
        const code = typeof error?.code === "number" ? error.code : error === null ? 0 : -1;
        done({ code, said: stdout + stderr });
      });
    });
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  async stop(): Promise<void> {
    await this.#listening?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let runner: Runner;
beforeEach(() => {
  runner = new Runner();
});
afterEach(() => runner.stop());

it("comments with how many answers change, and fails the check", async () => {
  await runner.start(745);
  expect(await runner.step("Replay")).toMatchObject({ code: 0 });
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
  await runner.start(740);
  for (let index = 0; index < 120; index += 1) runner.gitHub.add("LGTM", "User");
  runner.gitHub.add("<!-- decern replay -->\nNot by a bot", "User");
  await runner.step("Replay");
  expect(runner.read("output")).toBe("status=0\n");
  await runner.step("Comment");
  writeFileSync(join(runner.folder, "replay.md"), "A later report\n");
  await runner.step("Comment");
  expect(runner.gitHub.comments).toHaveLength(122);
  expect(runner.gitHub.comments[120]?.body).toContain("Not by a bot");
  expect(runner.gitHub.comments[121]?.body).toBe("<!-- decern replay -->\nA later report\n");
});

it("leaves the report in the summary where the token may not comment", async () => {
  await runner.start(745);
  runner.gitHub.isReadOnly = true;
  await runner.step("Replay");
  const { code, said } = await runner.step("Comment");
  expect(code).toBe(0);
  expect(said).toContain("::warning::");
  expect(runner.gitHub.comments).toEqual([]);
  expect(runner.read("summary")).toContain("5 of 100 results changed");
});

it("fails when the replay cannot run, and when GitHub refuses", async () => {
  await runner.start(740);
  expect((await runner.step("Replay", { MODULE: "missing.ts" })).code).toBe(1);
  await runner.step("Replay");
  const { code, said } = await runner.step("Comment", { GITHUB_TOKEN: "another" });
  expect(code).not.toBe(0);
  expect(said).toContain("Bad credentials");
});

it("passes no text of a pull request to a shell", () => {
  // Only env and with may have expressions: what GitHub puts into a script would run.
  const scripts = workflow.jobs.replay.steps
    .filter((step: { name?: string }) => step.name !== "Fetch records")
    .map((step: { run?: string }) => step.run ?? "");
  expect(scripts.filter((script: string) => script.includes("${{"))).toEqual([]);
});
