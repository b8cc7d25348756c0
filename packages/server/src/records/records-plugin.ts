import { DecernError, type DecisionLog, type DecisionRecord, type Logger } from "@decern/core";
import { type Catalogue, neverThrowing, tableReply } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageRoutes } from "../docs/page-routes.js";
import { sendError, sendJson } from "../replies/send.js";
import { takeJsonOnly } from "../requests/json-body.js";
import { describeRecord } from "./describe-record.js";
import { admitReaders, type RecordsAccess } from "./records-access.js";
import { type RecordsSearch, readSearch } from "./records-query.js";
import { reevaluateRecord } from "./reevaluate-record.js";
import { searchRecords } from "./search-records.js";

/** The options of {@link recordsPlugin}. */
export interface RecordsOptions {
  readonly catalogue: Catalogue;
  readonly log: DecisionLog;
  /** Who may look at records. @default everybody whom `authenticate` let in */
  readonly access: RecordsAccess | undefined;
  /** How long `access` may take. */
  readonly timeoutMs: number;
  /** Told of each look-up: who, and for what. */
  readonly logger: Logger;
}

interface RecordRequest {
  Params: { readonly recordId: string };
}

/**
 * Serves the page at `/records`, and its files and data under `/records/`. The page itself is open, because a browser cannot
 * send a key when it opens a page. Its data is not.
 */
export async function recordsPlugin(app: FastifyInstance, options: RecordsOptions): Promise<void> {
  pageRoutes(app, "/records", "records.html");
  app.register(dataRoutes, options);
}

async function dataRoutes(app: FastifyInstance, options: RecordsOptions): Promise<void> {
  const { catalogue, log, access, timeoutMs } = options;
  const logger = neverThrowing(options.logger);
  const logLookUp = (request: FastifyRequest, what: Readonly<Record<string, unknown>>): void => {
    const caller = request.decernIdentity?.caller ?? null;
    logger.info({ caller, requestId: request.id, ...what }, "Decision records were looked up");
  };
  const find = async ({ params: { recordId } }: FastifyRequest<RecordRequest>): Promise<DecisionRecord> => {
    for await (const record of log.find({ recordId, limit: 1 })) return record;
    throw new DecernError("RECORD_NOT_FOUND");
  };

  takeJsonOnly(app);
  app.setErrorHandler((error, _request, reply) => explain(error, reply));
  if (access !== undefined) admitReaders(app, access, timeoutMs);

  // A person's id must not get into a URL, because proxies log URLs.
  app.post("/records/search", async (request, reply) => {
    const search = readSearch(request.body);
    logLookUp(request, { query: { ...withoutIds(search.conditions), limit: search.limit } });
    return sendData(reply, await searchRecords(log, search));
  });

  app.get<RecordRequest>("/records/data/:recordId", async (request, reply) => {
    logLookUp(request, { recordId: request.params.recordId });
    return sendData(reply, await describeRecord(log, catalogue, await find(request)));
  });

  app.post<RecordRequest>("/records/data/:recordId/evaluate", async (request, reply) => {
    logLookUp(request, { recordId: request.params.recordId, evaluated: true });
    const record = await find(request);
    return sendData(reply, await reevaluateRecord(log, catalogue, record, request.body));
  });
}

/** Who records are about is the store's business only. The page tries a person's id as the other ids, too. */
const ids: ReadonlySet<string> = new Set(["recordId", "requestId", "subject"]);

function withoutIds(conditions: RecordsSearch["conditions"]): Readonly<Record<string, unknown>> {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, ids.has(name) ? "not logged" : value]));
}

function sendData(reply: FastifyReply, data: object): FastifyReply {
  sendJson(reply, 200, JSON.stringify(data));
  return reply;
}

/** Says what is wrong with a look-up. Everything else goes to the handler of all routes. */
function explain(error: unknown, reply: FastifyReply): void {
  if (!(error instanceof DecernError) || error.code !== "BAD_REQUEST") throw error;
  sendError(reply, tableReply("BAD_REQUEST", error.problems[0]?.message));
}
