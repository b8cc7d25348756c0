import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DecernError } from "@decern/core";
import { hasCode } from "@decern/core/tools";
import { writeDurably } from "../disk/durable-files.js";
import {
  type Manifest,
  type ManifestPart,
  manifestText,
  type PartResult,
  parseManifest,
} from "./manifest.js";

/** Part of its time that a job may spend on its manifest: a large one is written less often. */
const share = 1 / 20;

/** The manifest of a job that is running. */
export class ManifestFile {
  readonly #path: string;
  #manifest: Manifest;
  readonly #parts: ManifestPart[];
  #writing: Promise<void> | undefined;
  #isStale = false;
  #nextMs = 0;

  constructor(folder: string, manifest: Manifest) {
    this.#path = manifestPath(folder);
    this.#manifest = manifest;
    this.#parts = [...manifest.parts];
  }

  /** @returns `undefined` where the folder has none */
  static async read(folder: string): Promise<Manifest | undefined> {
    let text: string;
    try {
      text = await readFile(manifestPath(folder), "utf8");
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    }
    const manifest = parseManifest(text);
    if (manifest !== undefined) return manifest;
    const message = "has a manifest.json that was edited, is damaged, or is of another version";
    throw new DecernError("INVALID_OPTIONS", {
      detail: "bulkFile",
      problems: [{ path: "/output", message }],
    });
  }

  get parts(): readonly ManifestPart[] {
    return this.#parts;
  }

  /** Notes that a part is there for good. It is written before long: a part that is not in the manifest is made again. */
  note(index: number, done: PartResult | undefined): void {
    const part = this.#parts[index];
    if (part === undefined) return;
    this.#parts[index] = withResult(part, done);
    this.#isStale = true;
  }

  /** Writes what was noted, unless it was written just now. Rejects where that fails. */
  async writeSoon(): Promise<void> {
    if (this.#writing !== undefined || performance.now() < this.#nextMs) return;
    await this.write();
  }

  /** Writes what was noted. */
  async write(): Promise<void> {
    await this.#writing;
    if (!this.#isStale) return;
    this.#isStale = false;
    const beganMs = performance.now();
    this.#writing = writeDurably(this.#path, manifestText({ ...this.#manifest, parts: this.#parts }));
    try {
      await this.#writing;
    } finally {
      this.#writing = undefined;
      const endMs = performance.now();
      this.#nextMs = endMs + (endMs - beganMs) / share;
    }
  }

  /** Writes that the job has begun. */
  async begin(): Promise<void> {
    this.#manifest = { ...this.#manifest, state: "running" };
    this.#isStale = true;
    await this.write();
  }

  /** Writes that all parts are done. */
  async finish(): Promise<void> {
    const { secret: _secret, ...rest } = this.#manifest;
    this.#manifest = { ...rest, state: "finished" };
    this.#isStale = true;
    await this.write();
  }
}

function manifestPath(folder: string): string {
  return join(folder, "manifest.json");
}

function withResult({ done: _done, ...part }: ManifestPart, done: PartResult | undefined): ManifestPart {
  return done === undefined ? part : { ...part, done };
}
