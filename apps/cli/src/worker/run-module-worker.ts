import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Emit, runWorker, type WorkerSummary } from "@decern/bulk";
import type { Logger } from "@decern/core";
import { isDecision } from "@decern/core/tools";
import { metrics, workerMetrics } from "@decern/metrics";
import { CommandError, type CommandIo } from "../command-line/command.js";
import type { DecisionWork, LiveWork } from "../module/decision-work.js";
import { sentenceOf } from "../text/text.js";
import type { OpenSource, SourceUser, WorkerPlace } from "./worker-call.js";

/** @throws CommandError if the server rejects the user, or lacks what the source needs */
async function openSource(place: WorkerPlace, user: SourceUser): Promise<OpenSource> {
  if (place.kind === "nats") {
    const { openNats } = await import("./open-nats.js");
    return await openNats(place, user);
  }
  const { openPostgres } = await import("./open-postgres.js");
  return await openPostgres(place, user);
}

interface MetricsPage {
  /** Such as `http://127.0.0.1:9464`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Where the page is, and what is on it. */
interface MetricsPageOptions {
  /** 0 for a free one. */
  readonly port: number;
  readonly host: string;
  render(accept: string | undefined): Promise<{ readonly contentType: string; readonly body: string }>;
}

/**
 * Serves `/metrics`, and `/health/live` for an orchestrator.
 *
 * @throws CommandError when the port is taken
 */
async function serveMetrics({ port, host, render }: MetricsPageOptions): Promise<MetricsPage> {
  const server = createServer((request, response) => {
    const reply = (status: number, contentType: string, body: string): void => {
      response.writeHead(status, { "content-type": contentType }).end(body);
    };
    const path = request.url?.split("?")[0];
    if (path === "/health/live") reply(200, "application/json", '{"status":"live"}');
    else if (path !== "/metrics") reply(404, "text/plain", "not found\n");
    else {
      render(request.headers.accept).then(
        ({ contentType, body }) => reply(200, contentType, body),
        () => reply(500, "text/plain", "the metrics cannot be read\n"),
      );
    }
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`cannot serve metrics on ${host}:${port}: ${reason}`, { cause });
  }
  return {
    url: urlOf(server.address(), host),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function urlOf(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === "object" && address !== null ? address.port : "";
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

export interface WorkerSettings {
  readonly place: WorkerPlace;
  readonly emit: Emit | undefined;
  readonly maxItems: number | undefined;
  readonly lanes: number | undefined;
  /** @default no page */
  readonly metricsPort: number | undefined;
  readonly host: string;
}

/** Works until there is nothing left, or the process is asked to stop. */
export async function runModuleWorker(
  id: string,
  { decision, profiles }: DecisionWork | LiveWork,
  settings: WorkerSettings,
  io: Pick<CommandIo, "stderr" | "env" | "signal">,
): Promise<WorkerSummary> {
  const { place, emit, maxItems, lanes = 2, metricsPort, host } = settings;
  const say = (text: string): void => void io.stderr.write(`decern: ${text}\n`);
  const logger: Logger = { error: (details, message) => say(lineOf(details, message)) };
  const version = isDecision(decision) ? decision.version : undefined;
  const opened = await openSource(place, { id, version, profiles: profiles ?? {}, lanes, env: io.env });
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
    say(`evaluates inputs from ${opened.name} with ${id} ${version ?? "as it is loaded"}${where}`);
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
