import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { quantile } from "../measure/statistics.js";
import { latenciesBeside } from "./latencies-beside.js";
import { onCore } from "./service-process.js";

const run = promisify(execFile);
const hasWrk = spawnSync("wrk", ["--version"]).error === undefined;

/** Which load generator runs: wrk where it is installed, else autocannon, which takes more of its core. */
export const loadGenerator = hasWrk ? "wrk" : "autocannon";

export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  /** Milliseconds. */
  readonly p99: number;
}

/**
 * Puts a URL under load from the second core, with all bodies in turn, and fails when any answer is not 2xx.
 *
 * @param seconds - 0 sends each body once, where the figures mean nothing
 */
export async function load(
  url: string,
  bodies: readonly string[],
  connections: number,
  seconds: number,
  type = "application/json",
): Promise<Load> {
  if (seconds === 0) return await sendEach(url, bodies, type);
  return hasWrk
    ? loadWithWrk(url, bodies, connections, seconds, type)
    : loadWithAutocannon(url, bodies, connections, seconds, type);
}

async function sendEach(url: string, bodies: readonly string[], type: string): Promise<Load> {
  let sent = 0;
  const began = performance.now();
  const taken = await latenciesBeside(url, bodies, () => ++sent > bodies.length, type);
  const perSecond = taken.length / ((performance.now() - began) / 1000);
  return { requests: taken.length, perSecond, p50: quantile(taken, 0.5), p99: quantile(taken, 0.99) };
}

async function loadWithWrk(
  url: string,
  bodies: readonly string[],
  connections: number,
  seconds: number,
  type: string,
): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), "decern-bench-"));
  try {
    const script = join(folder, "load.lua");
    writeFileSync(script, wrkScript(bodies, type));
    const [command, parameters] = onCore(
      1,
      "wrk",
      "-t1",
      `-c${connections}`,
      `-d${seconds}s`,
      "--latency",
      "--timeout",
      "20s",
      "-s",
      script,
      url,
    );
    const { stdout } = await run(command, parameters);
    if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`bad answers from ${url}:\n${stdout}`);
    return {
      requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
      perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
      p50: millisecondsAt("50%", stdout),
      p99: millisecondsAt("99%", stdout),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function millisecondsAt(percentile: string, report: string): number {
  const [, value, unit] = new RegExp(`${percentile}\\s+([\\d.]+)(us|ms|s)`).exec(report) ?? [];
  return Number(value) * (unit === "us" ? 0.001 : unit === "s" ? 1000 : 1);
}

/** Requests are prepared once, so that the generator's core does not become the limit. */
function wrkScript(bodies: readonly string[], type: string): string {
  const list = bodies.map((body) => `[==[${body}]==]`).join(",\n");
  return `local bodies = {${list}}
local requests, at = {}, 0
function init()
  for i, body in ipairs(bodies) do
    requests[i] = wrk.format("POST", nil, { ["Content-Type"] = "${type}" }, body)
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`;
}

const report = z.object({
  non2xx: z.literal(0),
  errors: z.literal(0),
  requests: z.object({ average: z.number(), total: z.number() }),
  latency: z.object({ p50: z.number(), p99: z.number() }),
});

async function loadWithAutocannon(
  url: string,
  bodies: readonly string[],
  connections: number,
  seconds: number,
  type: string,
): Promise<Load> {
  const script = createRequire(import.meta.url).resolve("autocannon");
  const options = [
    "-j",
    "-c",
    `${connections}`,
    "-d",
    `${seconds}`,
    "-m",
    "POST",
    "-H",
    `content-type=${type}`,
  ];
  const [command, parameters] = onCore(1, process.execPath, script, ...options, "-b", bodies[0] ?? "", url);
  const { stdout } = await run(command, parameters);
  const { requests, latency } = report.parse(JSON.parse(stdout));
  return { requests: requests.total, perSecond: requests.average, ...latency };
}
