import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// KILLS=6 takes a million lines; CI fewer.
const kills = Number(process.env["KILLS"] ?? 3);
const lines = process.env["KILLS"] === undefined ? 150_000 : 1_000_000;
const partBytes = lines === 1_000_000 ? 1024 * 1024 : 128 * 1024;

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const node = async (name: string, ...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [script(name), ...args])).stdout;

let folder = "";
let input = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "decern-kill-"));
  input = join(folder, "in.ndjson");
  await node("loan-lines.mjs", input, `${lines}`);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs the job to its end. */
async function run(output: string, threads: number) {
  return JSON.parse(await node("loan-job.mjs", input, output, `${threads}`, `${partBytes}`));
}

async function partsOf(output: string): Promise<readonly string[]> {
  const names = await readdir(output).catch(() => []);
  return names.filter((name) => name.startsWith("part-") && name.endsWith(".ndjson")).toSorted();
}

async function hashOf(output: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of await partsOf(output)) hash.update(await readFile(join(output, name)));
  return hash.digest("hex");
}

/** Starts the job, kills it once it has so many parts, and tells how many were there and how many the manifest has. */
async function killAt(output: string, threads: number, parts: number) {
  const args = [script("loan-job.mjs"), input, output, `${threads}`, `${partBytes}`];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  await expect
    .poll(async () => child.exitCode !== null || (await partsOf(output)).length >= parts, { interval: 1 })
    .toBe(true);
  child.kill("SIGKILL");
  const [, signal] = await ended;
  const manifest = JSON.parse(await readFile(join(output, "manifest.json"), "utf8"));
  const noted = manifest.parts.filter(({ done }: { done?: unknown }) => done !== undefined).length;
  return {
    signal,
    state: manifest.state,
    total: manifest.parts.length,
    files: (await partsOf(output)).length,
    noted,
  };
}

describe("a job that is killed", () => {
  it(`writes the same bytes when it is killed ${kills} times as when it is not`, async () => {
    const whole = join(folder, "whole");
    const undisturbed = await run(whole, 2);
    const expected = await hashOf(whole);
    const total: number = undisturbed.parts.total;
    expect(undisturbed).toMatchObject({ state: "finished", items: lines });

    const output = join(folder, "killed");
    const reached: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      // Somewhere in its share of the first three quarters, so that there is always more to do.
      const at = 1 + Math.floor(((kill + Math.random()) / kills) * total * 0.7);
      const killed = await killAt(output, 1 + (kill % 3), at);
      reached.push(killed.files);
      expect(killed).toMatchObject({ signal: "SIGKILL", state: "running", total });
      expect(killed.files).toBeGreaterThan(0);
      expect(killed.files).toBeLessThan(total);
      expect(killed.noted).toBeLessThanOrEqual(killed.files);
    }
    const summary = await run(output, 2);
    console.log(`${lines} lines in ${total} parts, killed with ${reached.join(", ")} parts`);
    expect(summary).toMatchObject({ state: "finished", items: lines, counts: undisturbed.counts });
    expect(summary.parts.kept).toBeGreaterThan(0);
    expect(summary.parts.made).toBeGreaterThan(0);
    expect(await hashOf(output)).toBe(expected);
    // Nothing else is left, and the manifests are the same too.
    expect((await readdir(output)).toSorted()).toEqual((await readdir(whole)).toSorted());
    expect(await readFile(join(output, "manifest.json"), "utf8")).toBe(
      await readFile(join(whole, "manifest.json"), "utf8"),
    );
    expect(await run(output, 1)).toMatchObject({ state: "unchanged", parts: { made: 0 } });
  });

  it("goes on though its parent, such as the first process of a container, has not asked how it ended", async () => {
    const output = join(folder, "zombie");
    const job = [process.execPath, script("loan-job.mjs"), input, output, "1", `${partBytes}`];
    // The shell becomes a program that waits for no children.
    const command = `"$@" >/dev/null & echo $!; exec sleep 1000`;
    const parent = spawn("sh", ["-c", command, "sh", ...job], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [pid] = await once(parent.stdout, "data");
      await expect.poll(async () => (await partsOf(output)).length, { interval: 1 }).toBeGreaterThan(0);
      process.kill(Number(pid), "SIGKILL");
      const stat = () => readFile(`/proc/${Number(pid)}/stat`, "utf8");
      await expect.poll(stat).toContain(") Z ");
      expect(await readdir(output)).toContain("job.lock");
      expect(await run(output, 1)).toMatchObject({ state: "finished", items: lines });
    } finally {
      parent.kill("SIGKILL");
    }
  });
});
