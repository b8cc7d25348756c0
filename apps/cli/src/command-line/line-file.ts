import { type FileHandle, open } from "node:fs/promises";

const portion = 64 * 1024;

/** Writes a file line by line, in portions. */
export class LineFile {
  readonly #handle: FileHandle;
  #waiting = "";

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Replaces a file that is there. */
  static async create(path: string): Promise<LineFile> {
    return new LineFile(await open(path, "w"));
  }

  async write(line: string): Promise<void> {
    this.#waiting += `${line}\n`;
    if (this.#waiting.length >= portion) await this.#flush();
  }

  async close(): Promise<void> {
    try {
      await this.#flush();
    } finally {
      await this.#handle.close();
    }
  }

  async #flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = "";
    await this.#handle.appendFile(text);
  }
}
