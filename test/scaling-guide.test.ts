import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkedOptions } from "../packages/core/src/options.js";
import { serverRows } from "../packages/server/src/options/read-options.js";
import { bytesOf, machinesFor, podsFor, podsLeft, scaleUp } from "./support/fleet-arithmetic.js";
import { manifest } from "./support/manifest.js";

/** What a server has where nothing is said. */
const defaults = checkedOptions("test", { decisions: [] }, serverRows);

const file = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

const guide = file("docs/scaling.md");
const [deployment, , autoscaler] = manifest;
const [container] = deployment.spec.template.spec.containers;
const MiB = 1024 * 1024;

/** The cells of the rows that begin with a text, without comments. */
function rows(text: string, pattern: RegExp): readonly (readonly string[])[] {
  return text
    .replaceAll(/<!--.*?-->/g, "")
    .split("\n")
    .filter((line) => pattern.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const numberOf = (text = ""): number => Number(/[\d,.]+/.exec(text)?.[0].replaceAll(",", ""));

/** What one core does a second, by the guide. */
function rateOf(work: string): number {
  const [row] = rows(guide, new RegExp(`^\\| .*${work}.* \\| [\\d,]+`));
  return numberOf(row?.[1]);
}

describe("the guide to the number of machines", () => {
  const { minReplicas, maxReplicas, metrics } = autoscaler.spec;
  const target = metrics[0].resource.target.averageUtilization / 100;

  it("plans with no more requests than were measured", () => {
    const [row] = rows(file("docs/performance.md"), /^\| Decern server, metrics on +\|/);
    expect(numberOf(row?.[1])).toBeGreaterThanOrEqual(rateOf("requests, one decision each"));
    const withLog = `${rateOf("that keep a").toLocaleString("en")} with \`"batch"\``;
    expect(file("docs/performance.md")).toContain(withLog);
  });

  it("says of one core no more than was measured", () => {
    const measured = (row: string, column: number, of: number): number => {
      const [cells] = rows(file("bench/RESULTS.md"), new RegExp(`^\\| ${row} +\\|`));
      return numberOf(cells?.[column]) * of;
    };
    const claims: readonly (readonly [work: string, measured: number])[] = [
      ["that keep a", measured("Decern server, log on", 4, 1)],
      ["of 1,000", measured("a list in JSON", 3, 1)],
      ["records of an NDJSON file", measured("bulkFile, compact", 1, 1000)],
    ];
    for (const [work, most] of claims) {
      expect(rateOf(work), work).toBeGreaterThan(0);
      expect(rateOf(work), work).toBeLessThanOrEqual(most);
    }
    const [, off, batch, reply] =
      /handles ([\d,]+) .* log, ([\d,]+) with `"batch"`, ([\d,]+) with/.exec(file("docs/performance.md")) ??
      [];
    expect(numberOf(off)).toBeLessThanOrEqual(measured("Decern server, metrics off", 4, 1));
    expect(numberOf(batch)).toBeLessThanOrEqual(measured("Decern server, log on", 4, 1));
    expect(numberOf(reply)).toBeLessThanOrEqual(measured("Decern server, log on, every reply durable", 4, 1));
    const evaluated = measured("Decern evaluate", 1, 0.001);
    expect(file("README.md")).toContain(`takes ${evaluated.toFixed(2)} µs`);
  });

  it("has a table of pods that its formula gives", () => {
    const rate = rateOf("requests, one decision each");
    expect(guide).toContain(`With ${rate.toLocaleString("en")} requests per second and core:`);
    const table = rows(guide, /^\| [\d,]+ \|/);
    expect(table).toHaveLength(4);
    for (const [peak = "", ...cells] of table) {
      const cores = numberOf(peak) / rate;
      const pods = podsFor(cores, { target, minReplicas });
      const machines = machinesFor(cores, pods, 3);
      const percent = (share: number): string => `${Math.round(share * 100)} %`;
      expect([peak, ...cells]).toEqual([
        peak,
        cores.toFixed(2),
        String(pods),
        String(machines),
        percent(cores / pods),
        percent(cores / podsLeft(pods, machines)),
        `${(pods * bytesOf(container.resources.limits.memory)) / (1024 * MiB)} GiB`,
      ]);
      expect(cores / podsLeft(pods, machines)).toBeLessThan(1);
    }
  });

  it("begins with an answer and an example that the formula gives", () => {
    const rate = rateOf("requests, one decision each");
    const [answer] = /\*\*Two, for up to [\d,]+ requests per second\.\*\*/.exec(guide) ?? [];
    const upTo = numberOf(answer);
    const few = podsFor(upTo / rate, { target, minReplicas });
    expect(machinesFor(upTo / rate, few, 3)).toBe(2);
    const limit = bytesOf(container.resources.limits.memory) / MiB;
    expect(guide).toContain(`one free core and ${limit} MiB of memory`);
    const cores = 80_000 / rate;
    const pods = podsFor(cores, { target, minReplicas });
    expect(guide).toContain(`need ${pods} pods. Two machines with 4 cores hold them`);
    expect(podsLeft(pods, 2)).toBeLessThan(cores);
    expect(guide).toContain(`${podsLeft(pods, 2)} pods are left for ${cores.toFixed(2)} cores`);
    expect(guide).toContain(`Use ${machinesFor(cores, pods, 3)} machines.`);
  });

  it("says of batches and of one call what was measured", () => {
    const gain = rateOf("of 1,000") / rateOf("requests, one decision each");
    expect(Math.round(gain)).toBe(16);
    expect(guide).toContain("a core evaluates sixteen times as many inputs as in single requests");
    const [, latency] = rows(file("bench/RESULTS.md"), /^\| Decern server, metrics on +\|/);
    expect(guide).toContain(`[${Number(latency?.[1]).toFixed(1)} ms with 64 connections`);
  });

  it("is kept by the manifest, whose comments say what is in it", () => {
    const comments = file("deploy/kubernetes.yaml")
      .split("\n")
      .flatMap((line) => /^ *# (.*)$/.exec(line)?.[1] ?? [])
      .join(" ");
    const steps = scaleUp(10, minReplicas, { target, minReplicas, maxReplicas });
    expect(comments).toContain(`For a load of 10 cores: ${steps.join(", ")} pods`);
    expect(guide).toContain(`${target * 100} %, from ${minReplicas} pods up to ${maxReplicas}`);
    const environment = JSON.stringify(container.env);
    const [, oldSpace] = /--max-old-space-size=(\d+)/.exec(environment) ?? [];
    const limit = bytesOf(container.resources.limits.memory) / MiB;
    const bodies = 64;
    const outside = limit - Number(oldSpace) - bodies;
    expect(comments).toContain(
      `old space, ${oldSpace} MiB, is half of the limit of ${limit} MiB. ${outside} MiB`,
    );
    expect(Number(oldSpace)).toBe(limit / 2);
    expect(comments).toContain(`${bodies} MiB are for ${bodies} bodies of 1 MiB at a time`);
    expect(defaults.bodyLimit).toBe(MiB);
    expect(defaults.maxConnectionAgeMs).toBe(5 * 60_000);
  });

  it("computes the time for a file from the rate of one core", () => {
    const seconds = 100_000_000 / rateOf("records of an NDJSON file");
    const one = `in ${Math.round(seconds / 60)} minutes on one core`;
    expect(guide).toContain(`${one}, and in ${Math.ceil(seconds / 8)} seconds on 8`);
  });
});
