import { DecernError, type Logger, type Problem } from "@decern/core";
import { tableReply } from "@decern/core/host";
import { isJsonObject, memberOf } from "@decern/core/schema";
import { neverThrowing, program, withDeadline, withDocument } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { admitReaders, type RecordsAccess } from "../auth/authenticate.js";
import type { PublishDraft, PublishedDraft, TableDraft } from "../pages/drafts.js";
import { sendJson } from "../reply/send.js";
import { evaluationPath, pinnedPath, targetOf } from "../request/admission.js";
import { takeJsonOnly } from "../request/body.js";
import { ofDecision } from "../request/routing.js";
import { refusal, refuseUnknown } from "./read-search.js";

/** The options of {@link publishRoutes}. */
export interface PublishOptions {
  readonly publish: PublishDraft;
  /** Who may look at records, and so hand over drafts. @default every authenticated caller */
  readonly access: RecordsAccess | undefined;
  /** How long `access` and `publish` may take. */
  readonly timeoutMs: number;
  /** Told of each draft: who, and which. */
  readonly logger: Logger;
}

/** Takes drafts of tables from the docs page. Whatever the host does with them, the server serves what it served before. */
export async function publishRoutes(app: FastifyInstance, options: PublishOptions): Promise<void> {
  const { publish, access, timeoutMs } = options;
  const logger = neverThrowing(options.logger);
  takeJsonOnly(app);
  app.addHook("onRequest", async (request) => {
    if (!isOfSameOrigin(request)) throw new DecernError("ACCESS_DENIED");
  });
  if (access !== undefined) admitReaders(app, access, timeoutMs);
  const take = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const made = draftIn(request);
    if ("problems" in made) {
      const { status, code, message: error } = tableReply("INVALID_DRAFT");
      sendJson(reply, status, JSON.stringify({ error, code, problems: made.problems }));
      return reply;
    }
    const { id, version, contentHash } = made;
    const { decernIdentity: caller, id: requestId } = request;
    logger.info(
      { caller: caller?.caller ?? null, requestId, decision: id, version, contentHash },
      "A draft was handed over",
    );
    const published: unknown = await withDeadline("publish", timeoutMs, () => publish(made, caller));
    sendJson(reply, 200, JSON.stringify(readPublished(published)));
    return reply;
  };
  for (const path of [evaluationPath, pinnedPath])
    app.post(`/docs${path}/publish`, { config: ofDecision }, take);
}

/** Browsers say where a request comes from. What is not a browser does not, and carries no user's session. */
function isOfSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin } = headers;
  if (origin === undefined) return true;
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}

const fields: ReadonlySet<string> = new Set(["document", "basedOn"]);

/** Reads a draft against the contract of what is served. */
function draftIn(request: FastifyRequest): TableDraft | { readonly problems: readonly Problem[] } {
  const { served, pinned } = targetOf(request);
  const { decision } = pinned ?? served.standard;
  const { body } = request;
  const now = decision[program].content;
  if (now === undefined) throw new DecernError("ROUTE_NOT_FOUND");
  if (!isJsonObject(body) || !isJsonObject(body["document"])) throw refusal("'document' must be an object");
  refuseUnknown(body, fields);
  const { document, basedOn } = body;
  if (basedOn !== undefined && typeof basedOn !== "string") throw refusal("'basedOn' must be a string");
  const version = memberOf(document, "version");
  if (typeof version !== "string")
    return { problems: [{ path: "/version", message: "version is missing, or is not a text" }] };
  try {
    const content = withDocument(decision, version, document)?.[program].content;
    if (content === undefined) throw new DecernError("ROUTE_NOT_FOUND");
    return {
      id: decision.id,
      version,
      name: `${decision.id}.json`,
      mediaType: content.mediaType,
      document: content.document,
      contentHash: content.hash,
      basedOn,
      served: now.hash,
    };
  } catch (error) {
    if (!(error instanceof DecernError) || error.code !== "INVALID_DECISION") throw error;
    return { problems: error.problems };
  }
}

const longestMessage = 1000;

/** @throws DecernError `INTERNAL_ERROR` for what the page could not show */
function readPublished(published: unknown): PublishedDraft {
  if (published === undefined) return {};
  const broken = (what: string) => new DecernError("INTERNAL_ERROR", { detail: `publish returned ${what}` });
  if (!isJsonObject(published)) throw broken("something other than an object with message and url");
  const { message, url } = published;
  if (message !== undefined && (typeof message !== "string" || message.length > longestMessage))
    throw broken(`a message that is not a text of up to ${longestMessage} characters`);
  if (url !== undefined && (typeof url !== "string" || !isLink(url)))
    throw broken("a url that is not http: or https:");
  return { ...(message === undefined ? {} : { message }), ...(url === undefined ? {} : { url }) };
}

/** A link with another scheme could run code. */
function isLink(url: string): boolean {
  try {
    return /^https?:$/.test(new URL(url).protocol);
  } catch {
    return false;
  }
}
