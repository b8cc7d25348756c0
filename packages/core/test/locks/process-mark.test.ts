import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hasEnded, type ProcessMark, processMark } from "../../src/base/file-lock.js";

const own = processMark();
const children: ChildProcess[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Runs a script, and waits for its first line. */
async function run(script: string): Promise<{ readonly child: ChildProcess; readonly line: string }> {
  const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = await once(child.stdout, "data");
  return { child, line: String(line).trim() };
}

/** The mark of another process, as it would write it. */
function markOf(pid: number): ProcessMark {
  return { ...own, pid, started: readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21] };
}

describe.runIf(process.platform === "linux")("the mark of a process on Linux", () => {
  it("is the same each time, and tells that the process runs", () => {
    expect(processMark()).toEqual(own);
    expect(own).toEqual(markOf(process.pid));
    expect(hasEnded(own)).toBe(false);
  });

  it("tells when it has ended", async () => {
    const { child, line } = await run("echo $$; exec sleep 1000");
    const mark = markOf(Number(line));
    expect(hasEnded(mark)).toBe(false);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(hasEnded(mark)).toBe(true);
  });

  it("tells when it was killed and its parent does not ask for it: a zombie", async () => {
    // The shell becomes a program that waits for no children.
    const { child, line } = await run("sleep 1000 & echo $!; exec sleep 1000");
    await expect.poll(() => readFileSync(`/proc/${child.pid}/comm`, "utf8")).toBe("sleep\n");
    const mark = markOf(Number(line));
    expect(hasEnded(mark)).toBe(false);
    process.kill(mark.pid, "SIGKILL");
    await expect.poll(() => hasEnded(mark)).toBe(true);
    expect(readFileSync(`/proc/${mark.pid}/stat`, "utf8")).toContain(") Z ");
  });

  it("tells it from another one that got its id, also one with an odd name", async () => {
    expect(hasEnded({ ...own, started: "1" })).toBe(true);
    const { line } = await run("echo $$; exec sleep 1000");
    expect(hasEnded({ ...markOf(Number(line)), started: own.started })).toBe(true);
    const title = process.title;
    process.title = "a) Z 1 (b";
    expect({ mark: processMark(), hasEnded: hasEnded(own) }).toEqual({ mark: own, hasEnded: false });
    process.title = title;
  });

  it.each<[string, Partial<ProcessMark>]>([
    ["in another PID namespace", { space: own.space?.replace("pid:[", "pid:[1") }],
    [
      "on another machine, or before a restart of it",
      { space: own.space?.replace(/ \S+ pid/, " other pid") },
    ],
    ["under another host name", { space: `other${own.space}` }],
    ["of which only its id is known", { space: undefined }],
  ])("does not tell of a process %s", (_where, more) => {
    expect(more.space).not.toBe(own.space);
    expect(hasEnded({ ...own, pid: 4_194_305 })).toBe(true);
    expect(hasEnded({ ...own, pid: 4_194_305, ...more })).toBe(false);
    expect(hasEnded({ ...own, started: "1", ...more })).toBe(false);
  });
});

it("is the host's where there are no PID namespaces", () => {
  vi.stubGlobal("process", Object.create(process, { platform: { value: "darwin" } }));
  const mark = processMark();
  expect(mark).toEqual({ pid: process.pid, space: `darwin ${hostname()}` });
  expect([mark, { ...mark, pid: process.ppid }].map((each) => hasEnded(each))).toEqual([false, false]);
  expect(hasEnded({ ...mark, pid: 4_194_305 })).toBe(true);
  expect(hasEnded({ ...mark, pid: 4_194_305, space: "darwin elsewhere" })).toBe(false);
});
