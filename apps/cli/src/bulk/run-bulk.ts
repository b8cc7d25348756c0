import { bulkFile, bulkFilter, type Emit, type InputFormatName } from "@decern/bulk";
import type { Logger } from "@decern/core";
import { recordEncoder } from "@decern/decision-log";
import type { CommandIo } from "../command-line/command.js";
import { Progress } from "../command-line/progress.js";
import { sentenceOf } from "../command-line/sentence-of.js";
import { writeText } from "../command-line/write-text.js";
import { bulkProgress } from "./bulk-progress.js";
import { countsText, exitCodeFor, stoppedText, summaryText } from "./bulk-summary.js";
import { type BulkSettings, bulkWork } from "./bulk-work.js";

/** What the command line says about a job over a file. */
export interface BulkFileSettings {
  readonly input: string;
  readonly output: string;
  readonly format: InputFormatName | undefined;
  readonly emit: Emit | "record" | undefined;
  readonly now: Date | undefined;
  readonly build: string | undefined;
  readonly threads: number | undefined;
  readonly partBytes: number | undefined;
  readonly maxLine: number | undefined;
}

/** Evaluates a file. Returns the exit code. */
export async function runBulkFile(
  settings: BulkFileSettings,
  data: BulkSettings,
  io: CommandIo,
): Promise<number> {
  // What is wrong is said once, and not by every thread.
  await bulkWork(data);
  recordEncoder({ mask: { [data.id]: data.mask } });
  const { threads, ...options } = settings;
  const progress = new Progress(io);
  const describe = bulkProgress();
  try {
    const summary = await bulkFile({
      ...options,
      work: { thread: new URL("./bulk-thread.js", import.meta.url), data, count: threads },
      signal: io.signal,
      logger: lineLogger(io, progress),
      onProgress: (told) => progress.tell(() => describe(told)),
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

/** Answers standard input. Returns the exit code. */
export async function runBulkFilter(
  settings: Pick<BulkFileSettings, "now" | "maxLine"> & { readonly emit: Emit | undefined },
  data: BulkSettings,
  io: CommandIo,
): Promise<number> {
  const { stdin: input, stdout: output, signal } = io;
  const logger = lineLogger(io, new Progress(io));
  const work = await bulkWork(data);
  const summary = await bulkFilter({ ...settings, ...work, input, output, signal, logger });
  if (summary.state === "stopped") throw signal.reason;
  const code = exitCodeFor(summary);
  if (code !== 0) await writeText(io.stderr, `decern: ${countsText(summary.counts)}\n`);
  return code;
}

function lineLogger({ stderr }: CommandIo, progress: Progress): Logger {
  return {
    error: ({ err, line, faults }, message) => {
      progress.end();
      const place = line === undefined ? "" : ` (line ${String(line)})`;
      const count = faults === undefined ? "" : ` (${String(faults)})`;
      const reason = err === undefined ? "" : `: ${sentenceOf(err)}`;
      stderr.write(`decern: ${message}${place}${count}${reason}\n`);
    },
  };
}
