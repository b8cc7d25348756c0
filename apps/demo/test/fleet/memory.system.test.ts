import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { bytesOf } from "../../../../test/support/fleet-arithmetic.js";
import { manifest } from "../../../../test/support/manifest.js";
import { requestBody } from "../support/requests.js";
import { killAll, startService } from "../support/service.js";

afterAll(killAll);

const [deployment] = manifest;
const [container] = deployment.spec.template.spec.containers;
const flags: string = container.env.find(({ name }: { name: string }) => name === "NODE_OPTIONS").value;
const { requests, limits } = container.resources;

const MiB = 1024 * 1024;

/** The largest resident memory of a process so far, in bytes; `undefined` once it has ended. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

it("a service stays within its memory request under load, and with a leak V8 ends it below the limit", async () => {
  const leak = fileURLToPath(new URL("./leak.mjs", import.meta.url));
  const service = await startService([], { NODE_OPTIONS: `${flags} --import ${leak}` });
  const single = requestBody("loan-approval/prime.json");
  const { input } = JSON.parse(String(single));
  const batch = JSON.stringify({ inputs: Array(1000).fill(input) });
  let isOver = false;
  let answered = 0;
  const call = async (path: string, body: string): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const reply = await fetch(service.url + path, { method: "POST", headers, body });
    await reply.arrayBuffer();
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
  const underLoad = peakOf(service.child.pid) ?? Number.NaN;
  service.child.kill("SIGUSR2");
  let peak = 0;
  // Its memory can only be read while it lives.
  const look = setInterval(() => {
    peak = peakOf(service.child.pid) ?? peak;
  }, 10);
  await service.ended;
  clearInterval(look);
  const [oldSpace] = /\d+/.exec(flags) ?? [];
  const outside = peak - Number(oldSpace) * MiB;
  console.log(
    `MiB: ${Math.round(underLoad / MiB)} under load, ${Math.round(peak / MiB)} at the end, ${Math.round(outside / MiB)} more than the old space`,
  );
  expect(service.output()).toContain("heap out of memory");
  expect(underLoad).toBeLessThan(bytesOf(requests.memory));
  expect(peak).toBeGreaterThan(underLoad);
  expect(peak).toBeLessThan(bytesOf(limits.memory));
});
