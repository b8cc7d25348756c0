import { once } from "node:events";
import type { Writable } from "node:stream";
import { grouped, plural, printable } from "../text/text.js";
import type { CommandIo } from "./command.js";

/** Writes, and waits while the reader does not keep up, so that unread output does not fill the memory. */
export async function writeText(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Writes a value as JSON for programs, or as text for people. */
export async function writeResult(
  { stdout }: Pick<CommandIo, "stdout">,
  { format, json }: { readonly format: string | undefined; readonly json: boolean },
  value: unknown,
  text: () => string,
): Promise<void> {
  await writeText(stdout, json || format === "json" ? jsonText(value) : text());
}

/** As {@link writeResult}; the text is of lines. */
export async function writeLines(
  io: Pick<CommandIo, "stdout">,
  options: Parameters<typeof writeResult>[1],
  value: unknown,
  lines: readonly string[],
): Promise<void> {
  await writeResult(io, options, value, () => lines.map((line) => `${printable(line)}\n`).join(""));
}

/** Writes a line for people to standard error. */
export async function say({ stderr }: Pick<CommandIo, "stderr">, text: string): Promise<void> {
  await writeText(stderr, `decern: ${text}\n`);
}

/** How often the line is written anew, in milliseconds. */
const everyMs = 100;

/** A line on the terminal that shows the progress of long work. Shown only if standard error is a terminal. */
export class Progress {
  readonly #io: Pick<CommandIo, "stderr" | "showsProgress" | "progressColumns">;
  #isShown = false;
  #nextMs = 0;

  constructor(io: Pick<CommandIo, "stderr" | "showsProgress" | "progressColumns">) {
    this.#io = io;
  }

  /** The length of a line that does not break. */
  get #columns(): number {
    return (this.#io.progressColumns ?? 80) - 1;
  }

  /** Shows a text, unless the last one was shown a moment ago: that would slow the work down. */
  tell(text: (columns: number) => string): void {
    if (!this.#io.showsProgress) return;
    const nowMs = performance.now();
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + everyMs;
    this.show(text(this.#columns));
  }

  /** Shows how many records something was done with. */
  counter(what: string): (records: number) => void {
    const text = countRecords(what);
    return (records) => this.tell(() => text(records));
  }

  show(text: string): void {
    if (!this.#io.showsProgress) return;
    this.#isShown = true;
    // A line that breaks could not be overwritten.
    this.#io.stderr.write(`\r\u001b[2K${text.slice(0, this.#columns)}`);
  }

  end(): void {
    if (this.#isShown) this.#io.stderr.write("\r\u001b[2K");
    this.#isShown = false;
  }
}

/** Counts records, with their rate. */
export function countRecords(what: string): (records: number) => string {
  const beganMs = performance.now();
  return (records) => {
    const seconds = (performance.now() - beganMs) / 1000;
    const rate = seconds < 1 ? "" : `, ${grouped(records / seconds)} a second`;
    return `${what} ${plural(records, "record")}${rate}`;
  };
}
