import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "@decern/core/tools";

/** Temporary names of a job's files. */
export const temporaryPattern = /^(part-\d+\.(?:ndjson|csv)|manifest\.json)\.[0-9a-f]+\.tmp$/;

/** A file that gets its name, or replaces the former file, once it is completely on disk. */
export class DurableFile {
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

  static async create(path: string): Promise<DurableFile> {
    // Two processes never write the same file, even if both believe that they own the folder.
    const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
    return new DurableFile(path, temporary, await open(temporary, "wx"));
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

  async abandon(): Promise<void> {
    await this.#file.close();
  }
}
