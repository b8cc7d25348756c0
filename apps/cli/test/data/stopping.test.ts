import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ndjsonFiles } from "@decern/decision-log";
import { beforeEach, expect, it } from "vitest";
import { moduleFile, program, recordLoans, temporaryFolder } from "./support.js";

let recorded: string;
let temporary: string;

beforeEach(async () => {
  const folder = temporaryFolder();
  temporary = temporaryFolder();
  await recordLoans(ndjsonFiles(folder), [50, 200]);
  const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".ndjson"));
  recorded = readFileSync(join(folder, name), "utf8");
});

function start(args: readonly string[]) {
  const env = { ...process.env, TMPDIR: temporary };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {});
  return child;
}

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "%s ends a replay that waits for records with %d, and leaves nothing behind",
  async (signal, code) => {
    const child = start(["replay", "-", "--against", moduleFile("same")]);
    child.stdin.write(recorded);
    await expect.poll(() => readdirSync(temporary).length).toBe(1);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([code, null]);
    expect(readdirSync(temporary)).toEqual([]);
  },
);

it("a reader that stops reading ends `log find`, which leaves nothing behind", async () => {
  const child = start(["log", "find", "-"]);
  // More than a pipe holds.
  child.stdin.end(recorded.repeat(500));
  await once(child.stdout, "readable");
  child.stdout.destroy();
  expect(await once(child, "exit")).toEqual([141, null]);
  expect(readdirSync(temporary)).toEqual([]);
});
