import { type Emit, runWorker, type WorkerSummary } from "@decern/bulk";
import type { Decision, Logger } from "@decern/core";
import { metrics, workerMetrics } from "@decern/metrics";
import { CommandError, type CommandIo } from "../command-line/command.js";
import { sentenceOf } from "../command-line/sentence-of.js";
import { serveMetrics } from "./metrics-page.js";
import { openSource } from "./open-source.js";
import type { WorkerPlace } from "./worker-call.js";

/** What the command line says about a worker. */
export interface WorkerSettings {
  readonly place: WorkerPlace;
  readonly profiles: Readonly<Record<string, unknown>>;
  readonly emit: Emit | undefined;
  readonly maxItems: number | undefined;
  readonly lanes: number | undefined;
  /** @default no page */
  readonly metricsPort: number | undefined;
  readonly host: string;
}

/** Works until there is nothing left, or the process is asked to stop. Returns what it did. */
export async function runModuleWorker(
  decision: Decision,
  settings: WorkerSettings,
  io: Pick<CommandIo, "stderr" | "env" | "signal">,
): Promise<WorkerSummary> {
  const { place, profiles, emit, maxItems, lanes = 2, metricsPort, host } = settings;
  const say = (text: string): void => void io.stderr.write(`decern: ${text}\n`);
  const logger: Logger = { error: (details, message) => say(lineOf(details, message)) };
  const opened = await openSource(place, { decision, profiles, lanes, env: io.env });
  const { source } = opened;
  const m = metrics({ enabled: true });
  const bulk = workerMetrics({ collector: m.collector, decision, source, logger });
  const render = async (accept: string | undefined) => {
    await bulk.refresh();
    return m.render(accept);
  };
  let loss: string | undefined;
  const lost = new AbortController();
  try {
    const page =
      metricsPort === undefined ? undefined : await serveMetrics({ port: metricsPort, host, render });
    const where = page === undefined ? "" : `, metrics on ${page.url}/metrics`;
    say(`evaluates inputs from ${opened.name} with ${decision.id} ${decision.version}${where}`);
    void opened.lost.then((reason) => {
      loss = reason;
      lost.abort();
    });
    const signal = AbortSignal.any([io.signal, lost.signal]);
    const { observer } = bulk;
    const summary = await runWorker({
      decision,
      source,
      profiles,
      emit,
      maxItems,
      lanes,
      signal,
      logger,
      observer,
    });
    await page?.close();
    if (loss !== undefined) throw new CommandError(loss);
    return summary;
  } finally {
    await opened.end();
  }
}

/** One line, whatever a message holds. */
function lineOf({ err, position }: Readonly<Record<string, unknown>>, message: string): string {
  const place = position === undefined ? "" : ` (${String(position)})`;
  const reason = err === undefined ? "" : `: ${sentenceOf(err)}`;
  return `${message}${place}${reason}`.replaceAll(/\s*\n\s*/g, " ");
}
