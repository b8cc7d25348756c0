import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deadPid, leaveLock } from "../../../../test/support/left-lock.js";
import { FileLock } from "../../src/base/file-lock.js";

let folder = "";
let path = "";
const locks: FileLock[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "decern-lock-"));
  path = join(folder, "a.lock");
});
afterEach(async () => {
  vi.useRealTimers();
  for (const lock of locks.splice(0)) await lock.release();
  rmSync(folder, { recursive: true });
});

async function take(): Promise<FileLock | undefined> {
  const lock = await FileLock.take(path);
  if (lock !== undefined) locks.push(lock);
  return lock;
}

const isTaken = async () => (await take()) !== undefined;
const elsewhere = { space: "another container" };

describe("a lock", () => {
  it("is held by one, until it is released", async () => {
    const [first, second] = await Promise.all([take(), take()]);
    expect([first, second].filter((lock) => lock !== undefined)).toHaveLength(1);
    expect({ isHeld: await FileLock.isHeld(path), isTaken: await isTaken() }).toEqual({
      isHeld: true,
      isTaken: false,
    });
    for (const lock of locks.splice(0)) await lock.release();
    expect({ isHeld: await FileLock.isHeld(path), files: readdirSync(folder) }).toEqual({
      isHeld: false,
      files: [],
    });
    expect(await isTaken()).toBe(true);
  });

  it.each([
    ["by a process that has ended", { pid: deadPid }, 0, true],
    ["by one with our id before us", { started: "1" }, 0, true],
    ["by one that is alive", { pid: process.ppid, started: undefined }, 0, false],
    ["by another thread of this process", {}, 0, false],
    [
      "in another container with our host name and our id, before we started",
      { ...elsewhere },
      59_000,
      false,
    ],
    ["in another container with an id that is dead here", { ...elsewhere, pid: deadPid }, 59_000, false],
    ["in another container, over a minute ago", elsewhere, 61_000, true],
    ["by a process that hangs", {}, 61_000, true],
    ["without what is in it, a moment ago", "", 59_000, false],
    ["without what is in it, over a minute ago", "", 61_000, true],
    ["with something else in it", "[null]", 0, false],
  ] as const)("that was left %s", async (_what, mark, ageMs, isFree) => {
    for (const left of [path, `${path}.new`]) {
      leaveLock(left, mark, ageMs);
      expect(await FileLock.isHeld(left)).toBe(!isFree);
      expect(await isTaken()).toBe(isFree);
      for (const lock of locks.splice(0)) await lock.release();
      rmSync(left, { force: true });
    }
  });

  it("that was left behind goes to one of many that want it", async () => {
    let count = 0;
    for (let round = 0; round < 20; round += 1) {
      leaveLock(path, { pid: deadPid });
      leaveLock(`${path}.new`, { pid: deadPid });
      const taken = await Promise.all(Array.from({ length: 8 }, take));
      const winners = taken.filter((lock) => lock !== undefined).length;
      expect(winners).toBeLessThanOrEqual(1);
      count += winners;
      for (const lock of locks.splice(0)) await lock.release();
      rmSync(path, { force: true });
    }
    expect(count).toBeGreaterThan(0);
  });

  it("is renewed while it is held, and known to be lost", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const lock = await take();
    utimesSync(path, 1, 1);
    expect(await lock?.check()).toBe(true);
    // It was touched a moment ago.
    expect(statSync(path).mtimeMs).toBe(1000);
    await vi.advanceTimersByTimeAsync(10_000);
    await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(1000);
    leaveLock(path, { pid: process.ppid });
    expect(await lock?.check()).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    await expect.poll(() => lock?.check()).toBe(false);
    await lock?.release();
    expect(readFileSync(path, "utf8")).toContain(`"pid":${process.ppid}`);
  });

  it.each([-3_600_000, 3_600_000])("is looked at when the clock was set by %d ms", async (byMs) => {
    const lock = await take();
    leaveLock(path, { pid: process.ppid });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + byMs });
    expect(await lock?.check()).toBe(false);
  });
});
