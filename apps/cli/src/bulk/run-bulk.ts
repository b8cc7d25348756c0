import { bulkFile, type Emit, type InputFormatName } from "@decern/bulk";
import { recordEncoder } from "@decern/decision-log";
import type { CommandIo } from "../command-line/command.js";
import { Progress } from "../command-line/progress.js";
import { writeText } from "../command-line/write-text.js";
import { decisionWork } from "../module/decision-work.js";
import { bulkProgress } from "./bulk-progress.js";
import type { BulkSettings } from "./bulk-settings.js";
import { exitCodeFor, stoppedText, summaryText } from "./bulk-summary.js";
import { lineLogger } from "./line-logger.js";

/** What the command line says about a job over a file. */
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

/** Evaluates a file. Returns the exit code. */
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
