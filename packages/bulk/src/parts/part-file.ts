import { createHash } from "node:crypto";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "@decern/core/tools";
import { temporaryName } from "../disk/durable-files.js";
import type { InputFormatName } from "../formats/input-format.js";

/** The name of a file of output. */
export function partName(index: number, emit: string): string {
  return `part-${String(index).padStart(5, "0")}.${emit === "csv" ? "csv" : "ndjson"}`;
}

/** What all parts of a job share. It goes from thread to thread. */
export interface PartJob {
  readonly input: string;
  readonly output: string;
  readonly format: InputFormatName;
  readonly details: unknown;
  readonly emit: string;
  readonly key: string | undefined;
  /** The instant of all evaluations, in milliseconds since the Unix epoch. */
  readonly epochMs: number;
  readonly build: string | undefined;
  readonly maxLine: number;
  readonly secret: Uint8Array;
}

/** Writes one file of output, which gets its name once it is completely on disk. */
export class PartFile {
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  #bytes = 0;

  private constructor(path: string, temporary: string, file: FileHandle) {
    this.#path = path;
    this.#temporary = temporary;
    this.#file = file;
  }

  static async create(path: string): Promise<PartFile> {
    const temporary = temporaryName(path);
    return new PartFile(path, temporary, await open(temporary, "wx"));
  }

  async write(block: Buffer): Promise<void> {
    this.#hash.update(block);
    for (let done = 0; done < block.length; ) {
      const { bytesWritten } = await this.#file.write(block, done, block.length - done);
      done += bytesWritten;
    }
    this.#bytes += block.length;
  }

  async finish(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    await this.#file.sync();
    await this.#file.close();
    await rename(this.#temporary, this.#path);
    await syncDirectory(dirname(this.#path));
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  /** Abandons the file, without giving it its name. */
  async abandon(): Promise<void> {
    await this.#file.close();
  }
}
