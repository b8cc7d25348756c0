import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, it } from "vitest";
import { decern, decernProcess } from "../support/decern.js";
import { temporaryFolder } from "./support.js";

let cwd: string;
let lockFile: string;

/** A project of its own, so that a module can change and keep its name. */
beforeEach(() => {
  cwd = temporaryFolder();
  lockFile = join(cwd, "decern.lock.json");
  cpSync(fileURLToPath(new URL("./modules", import.meta.url)), cwd, { recursive: true });
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(cwd, "node_modules"));
  become("same");
});

/** From now on, `decisions.mjs` is this module. */
function become(name: string): void {
  cpSync(join(cwd, `${name}.mjs`), join(cwd, "decisions.mjs"));
}

const lockArgs = (...args: readonly string[]) => ["lock", "decisions.mjs", "--runs", "200", ...args];
/** In a process of its own each time, because the module changes. */
const lock = (...args: readonly string[]) => decernProcess(lockArgs(...args), { cwd });
const lockUnchanged = (...args: readonly string[]) => decern(lockArgs(...args), { cwd });
const lockText = () => readFileSync(lockFile, "utf8");

it("locks, finds itself up to date, and checks", async () => {
  expect(await lockUnchanged()).toEqual({ code: 0, stdout: "", stderr: `decern: wrote ${lockFile}\n` });
  const text = lockText();
  expect(await lockUnchanged()).toEqual({
    code: 0,
    stdout: "",
    stderr: `decern: ${lockFile} is up to date\n`,
  });
  expect(lockText()).toBe(text);
  expect(await lockUnchanged("--check")).toEqual({
    code: 0,
    stdout: "Every version behaves as locked\n",
    stderr: "",
  });
});

it("2: a threshold changed and the version did not; the smallest input is shown, and nothing is written", async () => {
  await lock();
  const text = lockText();
  become("changed");
  for (const args of [[], ["--check"]]) {
    const { code, stdout } = await lock(...args);
    expect(code).toBe(2);
    expect(stdout).toContain("loan 1.0.0 gives a different result for 1 locked input\n");
    expect(stdout).toContain('smallest input  {"amount":5000}');
    expect(stdout).toContain("locked          OK/large");
    expect(stdout).toContain("now             NO_MATCH");
    expect(stdout).toContain("decern lock decisions.mjs --accept loan@1.0.0");
    expect(lockText()).toBe(text);
  }
  const { code, stdout } = await lock("--check", "--format", "json");
  expect(JSON.parse(stdout)).toMatchObject({
    differences: [{ decisionId: "loan", version: "1.0.0", smallest: { input: { amount: 5000 } } }],
    unlocked: [],
    gone: [],
    unchanging: [],
  });
  expect(code).toBe(2);
});

it("takes over what is accepted", async () => {
  await lock();
  become("changed");
  expect((await lock("--accept", "loan@1.0.0")).code).toBe(0);
  expect((await lock("--check")).code).toBe(0);
});

it("a changed version passes, and rewrites nothing silently", async () => {
  await lock();
  const text = lockText();
  become("next-version");
  const checked = await lock("--check");
  expect(checked).toMatchObject({ code: 0, stdout: "Every version behaves as locked\n" });
  expect(checked.stderr).toBe('decern: not locked yet: loan@1.1.0; "decern lock decisions.mjs" adds them\n');
  expect(lockText()).toBe(text);
  expect((await lock()).code).toBe(0);
  const [before, after] = [JSON.parse(text), JSON.parse(lockText())];
  expect(Object.keys(after.decisions.loan.versions)).toEqual(["1.0.0", "1.1.0"]);
  expect(after.decisions.loan.inputs).toEqual(expect.arrayContaining(before.decisions.loan.inputs));
  become("same");
  expect((await lock("--check")).stderr).toBe("decern: locked, but not in the module: loan@1.1.0\n");
});

/** Rules in one file, what they compare with in another one. */
function writeProject(vip: string, limit: number): void {
  writeFileSync(
    join(cwd, "project.ts"),
    `import { defineDecision } from "@decern/core";
import { z } from "zod";
import { limits, VIP as best } from "./shared/limits.js";

const { share } = limits;

export const decisions = [
  defineDecision({
    id: "project",
    version: "1.0.0",
    inputSchema: z.object({ code: z.string().max(20), share: z.number().min(0).max(50), members: z.int().min(1).max(9) }),
    outputSchema: z.object({ of: z.string() }),
    profileSchema: z.object({}),
    rules: [
      { id: "vip", when: (input) => input.code === best, emit: () => ({ of: "vip" }) },
      { id: "share", when: (input) => input.share >= share, emit: () => ({ of: "share" }) },
      { id: "crowd", when: (input) => input.members > 9, emit: () => ({ of: "crowd" }) },
      { id: "none", when: () => true, emit: () => ({ of: "none" }) },
    ],
  }),
];
`,
  );
  mkdirSync(join(cwd, "shared"), { recursive: true });
  const limits = `export const VIP: string = "${vip}";\nexport const limits = { share: ${limit} } as const;\n`;
  writeFileSync(join(cwd, "shared", "limits.ts"), limits);
}

it("2: a constant changed in a file that the module imports", async () => {
  writeProject("VIP-1", 12.125);
  const project = (...args: readonly string[]) => decernProcess(["lock", "project.ts", ...args], { cwd });
  expect((await project()).code).toBe(0);
  for (const [vip, limit, locked] of [
    ["VIP-2", 12.125, "OK/vip"],
    ["VIP-1", 12.126, "OK/share"],
  ] as const) {
    writeProject(vip, limit);
    const { code, stdout } = await project("--check");
    expect(code).toBe(2);
    expect(stdout).toContain(`locked          ${locked}`);
  }
  writeProject("VIP-1", 12.125);
  expect(await project("--check")).toEqual({
    code: 0,
    stdout: "Every version behaves as locked\n",
    stderr: "decern: 1 condition never became true: project@1.0.0 crowd; a change there may go undetected\n",
  });
});

it("is the same in every time zone and language", async () => {
  writeProject("VIP-1", 12.125);
  const texts: string[] = [];
  for (const env of [
    { TZ: "Asia/Tokyo", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" },
    { TZ: "America/Los_Angeles", LC_ALL: "C", LANG: "C" },
  ]) {
    const file = `${texts.length}.json`;
    expect(
      (await decernProcess(["lock", "project.ts", "--file", file, "--runs", "1000"], { cwd, env })).code,
    ).toBe(0);
    texts.push(readFileSync(join(cwd, file), "utf8"));
  }
  expect(texts[1]).toBe(texts[0]);
  expect(texts[0]).toContain("VIP-1");
});

it("--file puts the lock elsewhere", async () => {
  expect((await lockUnchanged("--file", "other.json")).code).toBe(0);
  expect(existsSync(join(cwd, "other.json"))).toBe(true);
  expect(existsSync(lockFile)).toBe(false);
  expect((await lockUnchanged("--check", "--file", "other.json")).code).toBe(0);
});

it.each([
  [["--check"], /\bdecern\.lock\.json does not exist; "decern lock decisions\.mjs" creates it$/],
  [["--check", "--accept", "loan@1.0.0"], /^--check cannot be combined/],
  [["--accept", "loan@7.0.0"], /loan@7\.0\.0/],
  [["--runs", "many"], /^--runs must be a whole number, not "many"$/],
  [["--file", "damaged.json"], /damaged\.json: \/now: must be/],
  [["--file", "missing/lock.json"], /missing.lock\.json/],
])("1: decern lock decisions.mjs %j", async (args, message) => {
  writeFileSync(join(cwd, "damaged.json"), '{"lockVersion": 1}');
  const ended = await decern(["lock", "decisions.mjs", ...args], { cwd });
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  const [line = "", ...rest] = ended.stderr.split("\n");
  expect(rest).toEqual([""]);
  expect(line.replace(/^decern: /, "")).toMatch(message);
});

it("1: a module that does not load", async () => {
  rmSync(join(cwd, "loan.mjs"));
  expect((await lock()).stderr).toMatch(/^decern: cannot load decisions\.mjs: .*\n$/);
});

it("several processes that write one lock at once all find their decisions in it", async () => {
  const ids = ["loan-a", "loan-b", "loan-c", "loan-d"];
  const rules = readFileSync(join(cwd, "loan.mjs"), "utf8");
  for (const id of ids) {
    writeFileSync(join(cwd, `rules-of-${id}.mjs`), rules.replace('id: "loan"', `id: "${id}"`));
    const text = `import { loan } from "./rules-of-${id}.mjs";
export const decisions = [loan()];
export const profiles = { "${id}": { small: 100 } };
`;
    writeFileSync(join(cwd, `${id}.mjs`), text);
  }
  const run = (id: string, ...args: readonly string[]) =>
    decernProcess(["lock", `${id}.mjs`, "--runs", "500", ...args], { cwd });
  const wrote = await Promise.all(ids.map((id) => run(id)));
  expect(wrote).toEqual(ids.map(() => ({ code: 0, stdout: "", stderr: `decern: wrote ${lockFile}\n` })));
  expect(Object.keys(JSON.parse(lockText()).decisions).toSorted()).toEqual(ids);
  const checked = await Promise.all(ids.map((id) => run(id, "--check")));
  expect(checked.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(readdirSync(cwd).filter((name) => name.startsWith("decern.lock.json"))).toEqual([
    "decern.lock.json",
  ]);
});
