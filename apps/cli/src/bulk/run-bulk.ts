import { type BulkFileProgress, bulkFile, type Emit, type InputFormatName } from "@decern/bulk";
import { DecernError } from "@decern/core";
import { recordEncoder } from "@decern/decision-log";
import { CommandError, type CommandIo } from "../command-line/command.js";
import { Progress, writeText } from "../command-line/output.js";
import { decisionWork } from "../module/decision-work.js";
import { grouped } from "../text/text.js";
import { type BulkSettings, exitCodeFor, lineLogger, stoppedText, summaryText } from "./messages.js";

// The whole line fits a terminal of 80 columns, at a hundred million inputs.
const barLength = 12;

/**
 * Describes how far a job over a file is: a bar, and for evaluations their rate and the time left. What does not fit is left out,
 * first the rate, then the number of inputs: the time left is what people wait for.
 */
function bulkProgress(): (progress: BulkFileProgress, columns: number) => string {
  let began: { readonly ms: number; readonly items: number; readonly bytes: number } | undefined;
  return ({ phase, doneBytes, totalBytes, items }, columns) => {
    const share = totalBytes === 0 ? 1 : Math.min(doneBytes / totalBytes, 1);
    const filled = Math.floor(share * barLength);
    const bar = `[${"#".repeat(filled)}${"-".repeat(barLength - filled)}] ${Math.floor(share * 100)}%`;
    if (phase === "scan") return `${bar} reading the input`;
    if (phase === "check")
      return widest(columns, `${bar} checking what an earlier run has written`, `${bar} checking`);
    const nowMs = performance.now();
    // What an earlier run has done says nothing about how quick this one is.
    began ??= { ms: nowMs, items, bytes: doneBytes };
    const seconds = (nowMs - began.ms) / 1000;
    const inputs = `${grouped(items)} inputs`;
    if (seconds < 1 || doneBytes <= began.bytes) return widest(columns, `${bar} ${inputs}`, bar);
    const left = `${duration((seconds * (totalBytes - doneBytes)) / (doneBytes - began.bytes))} left`;
    const rate = `${grouped((items - began.items) / seconds)} a second`;
    return widest(
      columns,
      `${bar} ${inputs}, ${rate}, ${left}`,
      `${bar} ${inputs}, ${left}`,
      `${bar} ${left}`,
    );
  };
}

/** The first text that fits, or the last. */
function widest(columns: number, ...texts: readonly string[]): string {
  return texts.find(({ length }) => length <= columns) ?? texts.at(-1) ?? "";
}

/** Such as `0:05` and `1:02:03`. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, "0");
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, "0")}:${rest}`;
}

export interface BulkFileSettings {
  readonly input: string;
  readonly output: string;
  readonly format: InputFormatName | undefined;
  readonly emit: Emit | "csv" | "record" | undefined;
  readonly key: string | undefined;
  readonly now: Date | undefined;
  readonly build: string | undefined;
  readonly threads: number | undefined;
  readonly partBytes: number | undefined;
  readonly maxLine: number | undefined;
}

export async function runBulkFile(
  settings: BulkFileSettings,
  data: BulkSettings,
  io: CommandIo,
): Promise<number> {
  // What is wrong is said once, and not by every thread.
  await decisionWork(data);
  recordEncoder({ mask: { [data.id]: data.mask } });
  const { threads, ...options } = settings;
  const progress = new Progress(io);
  const describe = bulkProgress();
  try {
    const summary = await bulkFile({
      ...options,
      work: { thread: new URL("./bulk-thread.js", import.meta.url), data, count: threads },
      signal: io.signal,
      logger: lineLogger((text) => {
        progress.end();
        io.stderr.write(text);
      }),
      onProgress: (told) => progress.tell((columns) => describe(told, columns)),
    });
    progress.end();
    if (summary.state === "stopped") {
      await writeText(io.stderr, stoppedText(summary));
      throw io.signal.reason;
    }
    await writeText(io.stdout, summaryText(summary, settings.output));
    return exitCodeFor(summary);
  } finally {
    progress.end();
  }
}

/** Names the input file, which the user gave as an argument and not as an option. */
export function inputError(error: unknown, input: string): unknown {
  if (!(error instanceof DecernError) || error.code !== "INVALID_OPTIONS") return error;
  const problem = error.problems.find(({ path }) => path === "/input");
  return problem === undefined ? error : new CommandError(`${input} ${problem.message}`, { cause: error });
}
