import { createHash } from "node:crypto";
import { type FileHandle, open, stat } from "node:fs/promises";
import { DecernError } from "@decern/core";
import { hasCode } from "@decern/core/tools";
import type { InputFormat, ScannedInput } from "../formats/input-format.js";
import type { InputIdentity } from "../parts/manifest.js";

const blockBytes = 1024 * 1024;

interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/** The input of a job, which must not change while it is read. */
export class InputFile {
  readonly path: string;
  readonly #state: FileState;

  private constructor(path: string, state: FileState) {
    this.path = path;
    this.#state = state;
  }

  /** @throws DecernError `INVALID_OPTIONS` for what is not a file */
  static async find(path: string): Promise<InputFile> {
    const found = await stat(path).catch((error: unknown) => {
      throw hasCode(error, "ENOENT") ? refuse("/input", "does not exist") : unreadableInput(error);
    });
    if (!found.isFile()) throw refuse("/input", "is not a file");
    return new InputFile(path, found);
  }

  get size(): number {
    return this.#state.size;
  }

  /**
   * Reads the whole file, hashes it and cuts it into parts.
   *
   * @param onBlock - told how many bytes have been read. It throws once the job is stopped
   */
  async scan(
    format: InputFormat,
    partBytes: number,
    onBlock: (doneBytes: number) => void,
  ): Promise<ScannedInput & { readonly identity: InputIdentity }> {
    const scanner = format.scanner({ path: this.path, partBytes });
    const hash = createHash("sha256");
    let size = 0;
    const file = await open(this.path, "r").catch((error: unknown) => {
      throw unreadableInput(error);
    });
    try {
      for await (const block of blocksOf(file)) {
        hash.update(block);
        scanner.push(block);
        size += block.length;
        onBlock(size);
      }
    } finally {
      await file.close();
    }
    await this.check();
    return { ...(await scanner.end()), identity: { size, sha256: hash.digest("hex") } };
  }

  /** @throws DecernError `JOB_CHANGED` if the file was written since the job was started */
  async check(): Promise<void> {
    const { size, mtimeMs, ino } = await stat(this.path);
    const { size: formerSize, mtimeMs: formerMs, ino: formerIno } = this.#state;
    if (size === formerSize && mtimeMs === formerMs && ino === formerIno) return;
    throw new DecernError("JOB_CHANGED", { detail: `${this.path} was written while it was read` });
  }
}

/** A block is valid until the next one. */
export async function* blocksOf(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafeSlow(blockBytes);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, blockBytes, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

function unreadableInput(error: unknown): unknown {
  return isSystemError(error) ? refuse("/input", `cannot be read: ${error.message}`) : error;
}

/** Whether the system returned the error, such as for a missing permission. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error;
}

export function refuse(path: string, message: string, cause?: unknown): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail: "bulkFile", problems: [{ path, message }], cause });
}
