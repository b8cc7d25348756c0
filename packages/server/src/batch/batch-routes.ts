import { Readable } from "node:stream";
import { DecernError, type Logger } from "@decern/core";
import {
  BatchRun,
  type ErrorReply,
  type ItemReply,
  type LoadGate,
  mostExpanded,
  Places,
  type RequestHandler,
  type SentProfile,
  Turns,
  tableReply,
} from "@decern/core/host";
import { deepFreeze, jsonSize, neverThrowing, parseJsonBody, readable } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Connections } from "../connections/connection.js";
import { sendError, sendPieces } from "../reply/send.js";
import { batchPaths } from "../request/admission.js";
import { isEncoded, originOf, refuseProfile, sentProfile, takeJsonOnly } from "../request/body.js";
import { ServedDecisions, type ServingOptions } from "../request/served-decisions.js";
import { type BodyLimits, BodyReader, type Line, TextPieces } from "./body-reader.js";
import { BatchBody, type BatchCall, batchReader, itemEvaluator } from "./items.js";
import { endAfterReply, replyInLines } from "./reply-in-lines.js";

/** Type of a body, and of a reply, in lines. */
const NDJSON = "application/x-ndjson";

/**
 * How many requests of one connection may wait for a reply when a batch comes. All that are evaluated hold their inputs, and
 * Node reads on meanwhile, so one connection could fill the memory.
 */
const maxUnanswered = 16;

/** How batches are served. */
export interface BatchOptions extends ServingOptions, BodyLimits {
  readonly load: LoadGate | undefined;
  readonly connections: Connections;
  readonly logger: Logger;
  /** The most inputs in a body of JSON. */
  readonly maxBatch: number;
  /** The most bytes in a line of NDJSON. */
  readonly bodyLimit: number;
}

/** Serves `POST /decisions/:id/batch` and the same for one version, in JSON and in NDJSON. `app` is for these routes only. */
export function batchRoutes(app: FastifyInstance, options: BatchOptions): void {
  const { catalogue, runner, profileOverride, load, connections, maxBatch, bodyLimit, streamEnd } = options;
  const served = new ServedDecisions(options, batchReader);
  const turns = new Turns();
  const logger = neverThrowing(options.logger);
  // Before the body: it must not be read.
  app.addHook("onRequest", function refuseMany(request, reply, done) {
    const connection = connections.of(request.raw.socket);
    if (connection?.hasUnansweredOver(maxUnanswered) !== true) {
      done();
      return;
    }
    request.raw.resume();
    endAfterReply(reply.raw, connection);
    sendError(reply.header("retry-after", "1"), tableReply("OVERLOADED"));
  });
  takeJsonOnly(app, (text) => BatchBody.parse(text));
  app.addContentTypeParser(NDJSON, (request, payload, done) => {
    if (isEncoded(request)) done(new DecernError("UNSUPPORTED_MEDIA_TYPE"));
    else done(null, payload);
  });

  /** What the evaluation of a request's inputs needs. @param mustStop - whether no more of them may be evaluated */
  const begin = <Item>(
    request: FastifyRequest,
    reply: FastifyReply,
    handler: RequestHandler<BatchCall, unknown>,
    sent: SentProfile | undefined,
    inputOf: (item: Item) => unknown,
    mustStop = (): boolean => false,
  ) => {
    const { raw, id: requestId } = request;
    const isGone = (): boolean => raw.socket.destroyed || reply.raw.closed;
    const onFault = (error: unknown): void =>
      logger.error({ err: readable(error), requestId }, "Part of a batch failed");
    const shared = { sent, origin: originOf(request), profiles: catalogue.profiles };
    const evaluate = itemEvaluator({ handler, requestId, shared, inputOf, onFault });
    const places = new Places(load, reply.raw, () => isGone() || mustStop());
    return { isGone, onFault, places, run: new BatchRun(turns, places, runner, evaluate) };
  };

  const replyToList = async (
    request: FastifyRequest,
    reply: FastifyReply,
    handler: RequestHandler<BatchCall, unknown>,
    body: BatchBody,
  ): Promise<void> => {
    const profile = sentProfile(body.rest);
    const sent = profile && { ...profile, isShared: body.inputs.length > 1 };
    // One input's rules must not change it for the next.
    deepFreeze(sent);
    const { run, places, isGone } = begin(request, reply, handler, sent, (input: unknown) => {
      body.check(input);
      return input;
    });
    const text = new TextPieces();
    const later: ItemReply[] = [];
    let before = '{"results":[';
    const take = (one: ItemReply): boolean => {
      text.add(before);
      text.add(one.body);
      before = ",";
      // Of the others nothing is kept.
      if (one.afterwards !== undefined) later.push(one);
      return true;
    };
    try {
      for await (const _ of run.slices(body.inputs, take));
    } finally {
      places.leave();
    }
    // What ran and was recorded is compared too, whether or not its reply can be sent.
    const compare = (): void => void run.after(later);
    if (isGone()) {
      compare();
      return;
    }
    if (later.length > 0) reply.raw.once("close", compare);
    text.add(before === "," ? "]}" : `${before}]}`);
    sendPieces(reply, text.take());
  };

  const replyToLines = (
    request: FastifyRequest,
    reply: FastifyReply,
    handler: RequestHandler<BatchCall, unknown>,
    body: Readable,
  ): void => {
    const parse = (line: Line): unknown => {
      if (line === undefined) throw new DecernError("BODY_TOO_LARGE");
      return parseJsonBody(line);
    };
    const mustStop = (): boolean => streamEnd.hasCome;
    const begun = begin(request, reply, handler, undefined, parse, mustStop);
    // It entered before its body: it must not hold a place while it waits for that.
    begun.places.leave();
    const connection = connections.of(request.raw.socket);
    const openBody = (): BodyReader => {
      connection?.allowStream(reply.raw);
      return new BodyReader(body, options);
    };
    const onEnd = (): void => {
      if (connection !== undefined && !request.raw.complete) endAfterReply(reply.raw, connection);
    };
    const lines = replyInLines({ ...begun, openBody, maxLine: bodyLimit, onEnd });
    reply.code(200).header("content-type", NDJSON).send(Readable.from(lines));
  };

  const handle = async (
    request: FastifyRequest<{ Params: { id: string; version?: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { handler, hosted } = served.find(request.params);
    const { body } = request;
    if (catalogue.profiles === undefined) {
      // Not one error for each input: the client is to send them all again.
      sendError(reply.header("retry-after", "1"), tableReply("PROFILES_NOT_LOADED"));
    } else if (body instanceof Readable) {
      replyToLines(request, reply, handler, body);
    } else if (!(body instanceof BatchBody)) {
      sendError(reply, tableReply("MISSING_INPUTS"));
    } else if (body.inputs.length > maxBatch) {
      sendError(reply, tableReply("BATCH_TOO_LARGE", `at most ${maxBatch}`));
    } else {
      const refusal = refuseProfile(body.rest, hosted, profileOverride) ?? refuseExpansion(body, bodyLimit);
      if (refusal !== undefined) sendError(reply, refusal);
      else await replyToList(request, reply, handler, body);
    }
    return reply;
  };
  for (const path of batchPaths) app.post(path, handle);
}

/** Inputs share a profile, but a record, an output or a hook's copy may have it for each of them. */
function refuseExpansion({ rest, inputs }: BatchBody, bodyLimit: number): ErrorReply | undefined {
  const bytes = Object.hasOwn(rest, "profile") ? jsonSize(rest["profile"]) : 0;
  if (bytes * inputs.length <= mostExpanded * bodyLimit) return undefined;
  const most = Math.floor((mostExpanded * bodyLimit) / bytes);
  return tableReply("BODY_TOO_LARGE", `at most ${most} inputs with a profile of this size`);
}
