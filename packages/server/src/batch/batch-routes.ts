import { Readable } from "node:stream";
import {
  type Awaitable,
  DecernError,
  type ErrorReply,
  type Logger,
  type ProfileOverride,
} from "@decern/core";
import {
  Lists,
  type LoadGate,
  Many,
  mostExpanded,
  parseJsonBody,
  type SentProfile,
  type Service,
  type Target,
  tableReply,
} from "@decern/core/host";
import { jsonSize, neverThrowing, readable } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Connections } from "../connections/connection.js";
import { sendError, sendPieces } from "../reply/send.js";
import { batchPaths, targetOf } from "../request/admission.js";
import { isEncoded, originOf, refuseProfile, sentProfile, takeJsonOnly } from "../request/body.js";
import { ofDecision } from "../request/routing.js";
import { type BodyLimits, BodyReader, type Line, TextPieces } from "./body-reader.js";
import { BatchBody, endAfterReply, type ItemReply, itemEvaluator, replyInLines } from "./reply-in-lines.js";

/** Type of a body, and of a reply, in lines. */
const NDJSON = "application/x-ndjson";

/**
 * How many requests of one connection may wait for a reply when a batch comes. All that are evaluated hold their inputs, and
 * Node reads on meanwhile, so one connection could fill the memory.
 */
const maxUnanswered = 16;

/** How batches are served. */
export interface BatchOptions extends BodyLimits {
  readonly service: Service;
  readonly profileOverride: ProfileOverride;
  readonly load: LoadGate | undefined;
  readonly connections: Connections;
  /** The most inputs in a body of JSON. */
  readonly maxBatch: number;
  /** The most bytes in a line of NDJSON. */
  readonly bodyLimit: number;
}

/** Serves `POST /decisions/:id/batch` and the same for one version, in JSON and in NDJSON. `app` is for these routes only. */
export function batchRoutes(app: FastifyInstance, options: BatchOptions): void {
  const { profileOverride, connections, maxBatch, bodyLimit } = options;
  const batches = new Batches(options);
  // Before the body: it must not be read.
  app.addHook("onRequest", function refuseMany(request, reply, done) {
    const connection = connections.of(request.raw.socket);
    if (connection?.hasUnansweredOver(maxUnanswered) !== true) {
      done();
      return;
    }
    request.raw.resume();
    endAfterReply(reply.raw, connection);
    sendError(reply, tableReply("OVERLOADED"));
  });
  takeJsonOnly(app, (bytes) => BatchBody.parse(bytes));
  app.addContentTypeParser(NDJSON, (request, payload, done) => {
    if (isEncoded(request)) done(new DecernError("UNSUPPORTED_MEDIA_TYPE"));
    else done(null, payload);
  });

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const target = targetOf(request);
    const { body } = request;
    if (target.generation.profiles === undefined) {
      // Not one error for each input: the client is to send them all again.
      sendError(reply, tableReply("PROFILES_NOT_LOADED"));
    } else if (body instanceof Readable) {
      batches.replyToLines(request, reply, target, body);
    } else if (!(body instanceof BatchBody)) {
      sendError(reply, tableReply("MISSING_INPUTS"));
    } else if (body.inputs.length > maxBatch) {
      sendError(reply, tableReply("BATCH_TOO_LARGE", `at most ${maxBatch}`));
    } else {
      const refusal =
        refuseProfile(body.rest, target.served, profileOverride) ?? refuseExpansion(body, bodyLimit);
      if (refusal !== undefined) sendError(reply, refusal);
      else await batches.replyToList(request, reply, target, body);
    }
    return reply;
  };
  for (const path of batchPaths) app.post(path, { config: ofDecision }, handle);
}

/** One request with many inputs, about to be evaluated. */
interface Begun<Item> {
  readonly isGone: () => boolean;
  readonly onFault: (error: unknown) => void;
  readonly places: ReturnType<Lists["placesOf"]>;
  readonly evaluate: (item: Item) => Awaitable<ItemReply>;
}

/** Replies to requests with many inputs. */
class Batches {
  readonly #options: BatchOptions;
  readonly #lists: Lists;
  readonly #logger: Required<Logger>;

  constructor(options: BatchOptions) {
    const { service, load } = options;
    this.#options = options;
    this.#lists = new Lists(service.runner, load);
    this.#logger = neverThrowing(service.logger);
  }

  /** @param mustStop - whether no more of the inputs may be evaluated */
  #begin<Item>(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: { readonly target: Target; readonly sent: SentProfile | undefined },
    inputOf: (item: Item) => unknown,
    mustStop = (): boolean => false,
  ): Begun<Item> {
    const { raw, id: requestId } = request;
    const isGone = (): boolean => raw.socket.destroyed || reply.raw.closed;
    const onFault = (error: unknown): void =>
      this.#logger.error({ err: readable(error), requestId }, "Part of a batch failed");
    const call = { ...asked, origin: originOf(request), requestId, source: request };
    const many = new Many<unknown>(this.#options.service, call);
    const places = this.#lists.placesOf(reply.raw, () => isGone() || mustStop());
    return { isGone, onFault, places, evaluate: itemEvaluator(many, inputOf, onFault) };
  }

  async replyToList(
    request: FastifyRequest,
    reply: FastifyReply,
    target: Target,
    body: BatchBody,
  ): Promise<void> {
    const lists = this.#lists;
    const profile = sentProfile(body.rest);
    const sent = profile && body.inputs.length > 1 ? { ...profile, shared: new Map() } : profile;
    const begun = this.#begin(request, reply, { target, sent }, (input: unknown) => {
      body.check(input);
      return input;
    });
    const text = new TextPieces();
    const later: (() => void)[] = [];
    let before = '{"results":[';
    const take = (one: ItemReply): boolean => {
      text.add(before);
      text.add(one.body);
      before = ",";
      // Of the others nothing is kept.
      if (one.afterwards !== undefined) later.push(one.afterwards);
      return true;
    };
    try {
      for await (const _ of lists.slices(body.inputs, begun.places, begun.evaluate, take));
    } finally {
      begun.places.leave();
    }
    // What ran and was recorded is compared too, whether or not its reply can be sent.
    const compare = (): void => void lists.after(later);
    if (begun.isGone()) {
      compare();
      return;
    }
    if (later.length > 0) reply.raw.once("close", compare);
    text.add(before === "," ? "]}" : `${before}]}`);
    sendPieces(reply, text.take());
  }

  replyToLines(request: FastifyRequest, reply: FastifyReply, target: Target, body: Readable): void {
    const { streamEnd, connections, bodyLimit } = this.#options;
    const parse = (line: Line): unknown => {
      if (line === undefined) throw new DecernError("BODY_TOO_LARGE");
      return parseJsonBody(line);
    };
    const asked = { target, sent: undefined };
    const begun = this.#begin(request, reply, asked, parse, () => streamEnd.hasCome);
    // It entered before its body: it must not hold a place while it waits for that.
    begun.places.leave();
    const connection = connections.of(request.raw.socket);
    const openBody = (): BodyReader => {
      connection?.allowStream(reply.raw);
      return new BodyReader(body, this.#options);
    };
    const onEnd = (): void => {
      if (connection !== undefined && !request.raw.complete) endAfterReply(reply.raw, connection);
    };
    const lines = replyInLines({ ...begun, lists: this.#lists, openBody, maxLine: bodyLimit, onEnd });
    reply.code(200).header("content-type", NDJSON).send(Readable.from(lines));
  }
}

/** Inputs share a profile, but a record, an output or a hook's copy may have it for each of them. */
function refuseExpansion({ rest, inputs }: BatchBody, bodyLimit: number): ErrorReply | undefined {
  const bytes = Object.hasOwn(rest, "profile") ? jsonSize(rest["profile"]) : 0;
  if (bytes * inputs.length <= mostExpanded * bodyLimit) return undefined;
  const most = Math.floor((mostExpanded * bodyLimit) / bytes);
  return tableReply("BODY_TOO_LARGE", `at most ${most} inputs with a profile of this size`);
}
