import { expect } from "vitest";
import type { Service } from "../support/service.js";
import type { KeepAliveClients } from "./keep-alive-clients.js";

/** How many evaluations a process has counted. */
async function evaluationsOf({ url }: Service): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text();
  const counts = [...page.matchAll(/^engine_evaluations_total\{[^}]*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The share of each process in the next requests. */
export async function sharesOf(
  fleet: readonly Service[],
  { served: answered }: KeepAliveClients,
  requests: number,
): Promise<readonly number[]> {
  const before = await Promise.all(fleet.map(evaluationsOf));
  const until = answered.length + requests;
  await expect.poll(() => answered.length).toBeGreaterThanOrEqual(until);
  const after = await Promise.all(fleet.map(evaluationsOf));
  const served = after.map((count, index) => count - (before[index] ?? 0));
  const all = served.reduce((sum, each) => sum + each, 0);
  return served.map((each) => each / all);
}

/** Waits until each process has at least this share. @returns the shares */
export async function spread(
  fleet: readonly Service[],
  clients: KeepAliveClients,
  least: number,
): Promise<string> {
  let last: readonly number[] = [];
  await expect
    .poll(async () => {
      last = await sharesOf(fleet, clients, 400);
      return Math.min(...last);
    })
    .toBeGreaterThan(least);
  return last.map((share) => share.toFixed(2)).join(", ");
}
