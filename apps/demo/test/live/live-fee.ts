import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvaluationObserver, SourceLoad } from "@decern/core";
import { tableContract } from "@decern/table";
import { watchDecisions } from "@decern/watch";
import { onTestFinished } from "vitest";
import { z } from "zod";

/** Each result has a mark of the rows and one of the profile that made it. */
export const marked = tableContract({
  id: "marked",
  inputSchema: z.object({ weight: z.number() }),
  outputSchema: z.object({ row: z.number(), profile: z.number() }),
  profileSchema: z.object({ mark: z.number() }),
});

/** A set whose parts all have the same mark. */
export function setOf(mark: number, more: object = {}): object {
  const table = {
    table: "marked",
    version: `v${mark}`,
    hitPolicy: "U",
    inputs: [{ path: "weight" }],
    outputs: [{ path: "row" }, { path: "profile" }],
    rules: [{ id: `row-of-${mark}`, if: ["-"], then: [mark, "profile.mark"] }],
  };
  return { revision: `r${mark}`, decisions: [table], profiles: { marked: { mark } }, ...more };
}

/** A file that a test replaces, and how a host has loaded it. */
export class LiveFile implements EvaluationObserver {
  readonly path: string;
  readonly loads: SourceLoad[] = [];
  #wakes: (() => void)[] = [];
  #told: (() => void)[] = [];

  constructor(content: unknown) {
    const folder = mkdtempSync(join(tmpdir(), "decern-live-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    this.path = join(folder, "set.json");
    this.#write(content);
  }

  source(options: { readonly keepVersions?: number } = {}) {
    const wake = (load: () => void) => {
      this.#wakes.push(load);
      return undefined;
    };
    return watchDecisions({ file: this.path, contracts: [marked], everyMs: 60_000, wake, ...options });
  }

  /** Replaces the file in one step, and waits until the host was told how that was loaded. */
  async publish(content: unknown): Promise<SourceLoad | undefined> {
    this.#write(content);
    const told = new Promise<void>((resolve) => this.#told.push(resolve));
    this.load();
    await told;
    return this.loads.at(-1);
  }

  load(): void {
    for (const wake of this.#wakes) wake();
  }

  onEvaluated(): void {}

  onDecisionsLoaded(load: SourceLoad): void {
    this.loads.push(load);
    for (const resolve of this.#told.splice(0)) resolve();
  }

  #write(content: unknown): void {
    writeFileSync(`${this.path}.new`, typeof content === "string" ? content : JSON.stringify(content));
    renameSync(`${this.path}.new`, this.path);
  }
}

/** Its first load never ends. */
export class NeverLoaded extends LiveFile {
  override source() {
    return watchDecisions({ load: () => new Promise(() => {}), contracts: [marked], timeoutMs: 2_000_000 });
  }
}
