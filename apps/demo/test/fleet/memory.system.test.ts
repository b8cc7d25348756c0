import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { bytesOf } from "../../../../test/support/fleet-arithmetic.js";
import { manifest } from "../../../../test/support/manifest.js";
import { requestBody } from "../support/requests.js";
import { killAll, type Service, startProcess, startService } from "../support/service.js";
import { createMemoryGroup, type MemoryGroup } from "./memory-group.js";

const [deployment] = manifest;
const [container] = deployment.spec.template.spec.containers;
const flags: string = container.env.find(({ name }: { name: string }) => name === "NODE_OPTIONS").value;
const { requests, limits } = container.resources;

const MiB = 1024 * 1024;
const inMiB = (bytes: number): number => Math.round(bytes / MiB);
const leak = fileURLToPath(new URL("./leak.mjs", import.meta.url));

const groups: MemoryGroup[] = [];
afterAll(async () => {
  killAll();
  await Promise.all(groups.map((group) => group.remove()));
});

/** A control group with a memory limit, where the machine allows it. */
function limited(name: string, limit: number): MemoryGroup | undefined {
  const group = createMemoryGroup(name, limit);
  if (group !== undefined) groups.push(group);
  else console.log("this machine lets the test make no control group: what it measures is from /proc alone");
  return group;
}

/** The largest resident memory of a process so far, in bytes; `undefined` once it has ended. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Batches and single requests from 64 clients at a time. */
async function load(service: Service): Promise<ReadonlySet<number>> {
  const single = requestBody("loan-approval/prime.json");
  const { input } = JSON.parse(String(single));
  const batch = JSON.stringify({ inputs: Array(1000).fill(input) });
  const statuses = new Set<number>();
  let isOver = false;
  let answered = 0;
  const call = async (path: string, body: string): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const reply = await fetch(service.url + path, { method: "POST", headers, body });
    await reply.arrayBuffer();
    statuses.add(reply.status);
    answered += 1;
  };
  const work = Array.from({ length: 64 }, async (_unused, client) => {
    while (!isOver) {
      if (client < 8) await call("/decisions/loan-approval/batch", batch);
      else await call("/decisions/loan-approval", String(single));
    }
  });
  await expect.poll(() => answered).toBeGreaterThan(400);
  isOver = true;
  await Promise.all(work);
  return statuses;
}

/** Makes a process leak until something ends it. */
async function leakUntilItEnds({ child, ended }: Service) {
  child.kill("SIGUSR2");
  let peak = 0;
  // Its memory can only be read while it lives.
  const look = setInterval(() => {
    peak = peakOf(child.pid) ?? peak;
  }, 10);
  const end = await ended;
  clearInterval(look);
  return { peak, ...end };
}

it("within the manifest's memory limit, a service answers under load, and V8 ends a leak before the kernel does", async () => {
  const group = limited("service", bytesOf(limits.memory));
  const environment = { NODE_OPTIONS: `${flags} --import ${leak}` };
  const service = await startService([], environment, group?.command);
  expect(await load(service)).toEqual(new Set([200]));
  const underLoad = peakOf(service.child.pid) ?? Number.NaN;
  const loaded = group?.peak();
  const { peak, signal } = await leakUntilItEnds(service);
  const outside = peak - Number(/\d+/.exec(flags)?.[0]) * MiB;
  console.log(
    `MiB: ${inMiB(underLoad)} under load, ${inMiB(peak)} at the end, ${inMiB(outside)} more than the old space`,
  );
  expect(service.output()).toContain("heap out of memory");
  expect(service.output()).toContain("Last few GCs");
  expect(signal).not.toBe("SIGKILL");
  if (group !== undefined && loaded !== undefined) {
    console.log(
      `control group (${group.version}) with ${inMiB(group.limit)} MiB: ${inMiB(loaded)} under load, ${inMiB(group.peak())} at the end`,
    );
    expect(group.limit).toBe(bytesOf(limits.memory));
    expect(group.peak()).toBeGreaterThan(underLoad);
    expect(group.killed()).toBe(0);
  }
  expect(underLoad).toBeLessThan(bytesOf(requests.memory));
  expect(peak).toBeGreaterThan(underLoad);
  expect(peak).toBeLessThan(bytesOf(limits.memory));
});

it("with an old space as large as the limit, the kernel kills the same leak without a word", async () => {
  const group = limited("control", 128 * MiB);
  if (group === undefined) return;
  const options = flags.replace(/\d+/, String(inMiB(group.limit)));
  const [file, args] = group.command(process.execPath, [
    "--import",
    leak,
    "--eval",
    "setInterval(() => {}, 1e6); console.log('ready')",
  ]);
  const leaking = startProcess(file, args, { NODE_OPTIONS: options });
  await leaking.printed(/ready/);
  leaking.child.kill("SIGUSR2");
  expect((await leaking.ended).signal).toBe("SIGKILL");
  expect(leaking.output()).not.toContain("heap out of memory");
  expect(group.killed()).toBe(1);
});
