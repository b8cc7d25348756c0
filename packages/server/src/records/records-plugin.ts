import { DecernError, type DecisionLog, type DecisionRecord, type Logger } from "@decern/core";
import { type Service, tableReply } from "@decern/core/host";
import { neverThrowing } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { admitReaders, type RecordsAccess } from "../auth/authenticate.js";
import { pageRoutes } from "../pages/page-routes.js";
import { sendError, sendJson } from "../reply/send.js";
import { takeJsonOnly } from "../request/body.js";
import { type RecordsSearch, readSearch } from "./read-search.js";
import { describeRecord, reevaluateRecord } from "./reevaluate-record.js";
import { Searches, searchRecords, until } from "./search.js";

/** The options of {@link recordsPlugin}. */
export interface RecordsOptions {
  readonly catalogue: Service["catalogue"];
  readonly log: DecisionLog;
  /** Who may look at records. @default every authenticated caller */
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
  const docs = app.hasRoute({ method: "GET", url: "/docs" });
  pageRoutes(app, "/records", "records.html", { root: "./", docs });
  app.register(dataRoutes, options);
}

async function dataRoutes(app: FastifyInstance, options: RecordsOptions): Promise<void> {
  const { catalogue, log, access, timeoutMs } = options;
  const logger = neverThrowing(options.logger);
  const logLookUp = (request: FastifyRequest, what: Readonly<Record<string, unknown>>): void => {
    const caller = request.decernIdentity?.caller ?? null;
    logger.info({ caller, requestId: request.id, ...what }, "Decision records were looked up");
  };
  const searches = new Searches();
  app.addHook("onClose", async () => searches.stop());
  /** Replies with what comes of a search. */
  const reply = async (
    to: FastifyReply,
    search: (find: DecisionLog["find"]) => Promise<object>,
  ): Promise<FastifyReply> => {
    const data = await searches.run(to, (gone) => search((query) => until(gone, log.find(query))));
    return data === undefined ? to.hijack() : sendData(to, data);
  };
  const findOne = async (
    find: DecisionLog["find"],
    { params: { recordId } }: FastifyRequest<RecordRequest>,
  ): Promise<DecisionRecord> => {
    for await (const record of find({ recordId, limit: 1 })) return record;
    throw new DecernError("RECORD_NOT_FOUND");
  };

  takeJsonOnly(app);
  app.setErrorHandler((error, _request, reply) => explain(error, reply));
  if (access !== undefined) admitReaders(app, access, timeoutMs);

  // A person's id must not get into a URL, because proxies log URLs.
  app.post("/records/search", async (request, to) => {
    const search = readSearch(request.body);
    const { conditions, limit, payloads, total, unreadable } = search;
    const flags = Object.entries({ payloads, total, unreadable });
    const more = Object.fromEntries(flags.filter(([, isAsked]) => isAsked));
    logLookUp(request, { query: { ...withoutIds(conditions), limit, ...more } });
    return reply(to, (find) => searchRecords(find, log, search));
  });

  app.get("/records/held", (request, to) => {
    logLookUp(request, { held: true });
    return sendData(to, { held: catalogue.loads.held ?? null });
  });

  app.get<RecordRequest>("/records/data/:recordId", async (request, to) => {
    logLookUp(request, { recordId: request.params.recordId });
    return reply(to, async (find) => describeRecord(log, catalogue.current, await findOne(find, request)));
  });

  app.post<RecordRequest>("/records/data/:recordId/evaluate", async (request, to) => {
    logLookUp(request, { recordId: request.params.recordId, evaluated: true });
    return reply(to, async (find) =>
      reevaluateRecord(log, catalogue.current, await findOne(find, request), request.body),
    );
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
  const code = error instanceof DecernError ? error.code : undefined;
  if (code === "OVERLOADED") sendError(reply, tableReply(code));
  else if (error instanceof DecernError && code === "BAD_REQUEST")
    sendError(reply, tableReply(code, error.problems[0]?.message));
  else throw error;
}
