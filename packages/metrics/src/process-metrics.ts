import { readFileSync } from "node:fs";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { processMetrics } from "./registry/names.js";
import type { Registry } from "./registry/registry.js";

/** How often the delay of the event loop is sampled, in milliseconds. Node counts this as part of each delay. */
const resolutionMs = 10;

export class ProcessMetrics {
  readonly #registry: Registry;
  readonly #build: Readonly<Record<string, string>>;
  /** Its timer does not keep the process alive. */
  readonly #delay: IntervalHistogram;

  constructor(registry: Registry, build: string | undefined) {
    this.#registry = registry;
    const labels = { version: readVersion(), node_version: process.versions.node };
    this.#build = build === undefined ? labels : { ...labels, build };
    this.#delay = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delay.enable();
  }

  collect(): void {
    const { user, system } = process.cpuUsage();
    this.#registry.series("counter", processMetrics.cpu.name, {}).value = (user + system) / 1e6;
    this.#set("memory", process.memoryUsage.rss());
    this.#set("start", performance.timeOrigin / 1000);
    const delay = this.#delay;
    // Without a sample, Node's histogram has no sensible maximum.
    const lag = (nanoseconds: number): number | undefined =>
      delay.count === 0 ? undefined : Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
    this.#set("lagMedian", lag(delay.percentile(50)));
    this.#set("lagHigh", lag(delay.percentile(99)));
    this.#set("lagMax", lag(delay.max));
    delay.reset();
    this.#registry.series("gauge", processMetrics.build.name, this.#build).value = 1;
  }

  #set(metric: "memory" | "start" | "lagMedian" | "lagHigh" | "lagMax", value: number | undefined): void {
    this.#registry.series("gauge", processMetrics[metric].name, {}).value = value;
  }
}

/** This package's version; a bundle may lack the manifest. */
function readVersion(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    if (typeof manifest !== "object" || manifest === null || !("version" in manifest)) return "unknown";
    return String(manifest.version);
  } catch {
    return "unknown";
  }
}
