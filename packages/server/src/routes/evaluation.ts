import type { ServerResponse } from "node:http";
import type { Origin, ProfileOverride } from "@decern/core";
import type { Handler, LoadGate, SentProfile } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppHooks } from "../base/app-hooks.js";
import { JSON_TYPE, sendJson } from "../reply/send.js";
import {
  type docsPrefix,
  evaluationPath,
  type livePrefix,
  pinnedPath,
  targetOf,
} from "../request/admission.js";
import { type AskedEvaluation, originOf, readEvaluationBody } from "../request/body.js";
import { ofDecision } from "../request/routing.js";

/** Writes the replies of evaluations. */
class ReplyWriter {
  /** Names and values in turn. */
  readonly #fixed: readonly string[];
  readonly #hooks: AppHooks;

  /** @param headers - sent with every reply; on Fastify's way, `admitRequests` sets them */
  constructor(headers: Readonly<Record<string, string>>, hooks: AppHooks) {
    this.#fixed = [...Object.entries(headers).flat(), "content-type", JSON_TYPE];
    this.#hooks = hooks;
  }

  /** Where the host has no hooks, straight to Node: then no code of its own sees what Fastify makes of a reply. docs/adr/0029 says why. */
  write(
    reply: FastifyReply,
    status: number,
    body: string,
    requestId: string,
    headers: Readonly<Record<string, string>> | undefined,
  ): void {
    if (this.#hooks.hasHosts) {
      // A hook may have given the request another id.
      if (requestId !== reply.request.id) reply.header("x-request-id", requestId);
      if (headers !== undefined) reply.headers(headers);
      reply.code(status).header("content-type", JSON_TYPE).send(body);
      return;
    }
    const all = [
      ...this.#fixed,
      "x-request-id",
      requestId,
      "content-length",
      String(Buffer.byteLength(body)),
    ];
    for (const name in headers) all.push(name, headers[name] ?? "");
    endWith(body, reply.hijack().raw.writeHead(status, all));
  }
}

/**
 * Ends a response with its only text. `end(text)` makes Node write twice: the head with the text, then an empty text that tells
 * when both have left.
 */
function endWith(text: string, response: ServerResponse): void {
  const { socket } = response;
  // A pipelined request has no socket before its turn. Behind a closed one, Node may be reading the requests after it.
  if (socket === null || !socket.writable) {
    response.end(text);
    return;
  }
  socket.cork();
  response.write(text);
  socket.uncork();
  response.end();
}

/** A request to evaluate a decision, and its reply, as core sees them. */
class ServerExchange {
  readonly handsOverHostErrors = false;
  readonly source: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #load: LoadGate | undefined;
  readonly #asked: AskedEvaluation;
  readonly #writer: ReplyWriter;

  /** @param load - the gate that the request entered, to be left after the evaluation */
  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    load: LoadGate | undefined,
    asked: AskedEvaluation,
    writer: ReplyWriter,
  ) {
    this.source = request;
    this.#reply = reply;
    this.#load = load;
    this.#asked = asked;
    this.#writer = writer;
  }

  get requestId(): string {
    return this.source.id;
  }

  origin(): Origin {
    return originOf(this.source);
  }

  input(): unknown {
    return this.#asked.input;
  }

  sent(): SentProfile | undefined {
    return this.#asked.sent;
  }

  /** Frees the request's place: a place is for work, not for a reply that waits for the other replies of its turn. */
  onDecided(): void {
    this.#load?.leave(this.#reply.raw);
  }

  hasBegun(): boolean {
    return this.#reply.sent;
  }

  hasEnded(): boolean {
    return this.#reply.sent;
  }

  write(
    status: number,
    body: string,
    requestId: string,
    headers?: Readonly<Record<string, string>> | undefined,
  ): void {
    this.#writer.write(this.#reply, status, body, requestId, headers);
  }

  /** The host's `onSend` hooks may be asynchronous, and hold the reply back. */
  whenWritten(run: () => void): void {
    const response = this.#reply.raw;
    if (response.writableEnded || response.closed) setImmediate(run);
    else response.once("close", run);
  }

  leave(): void {}

  /** Fastify would send a value that is not an error as a reply with 200. */
  fail(error: Error): void {
    this.#reply.send(error);
  }
}

/** How evaluations are served. */
interface EvaluationOptions {
  readonly handler: Handler<unknown>;
  readonly profileOverride: ProfileOverride;
  /** The gate that a request entered, to be left after the evaluation. */
  readonly load: LoadGate | undefined;
  /** Sent with every reply. */
  readonly headers: Readonly<Record<string, string>>;
  readonly hooks: AppHooks;
  /** Before the path. @default nothing */
  readonly prefix?: typeof docsPrefix | typeof livePrefix | undefined;
}

/**
 * Serves `POST /decisions/:id` and `POST /decisions/:id/versions/:version`, maybe under a prefix, for decisions that
 * `admitRequests` has found. Nothing is awaited where nothing is asynchronous.
 */
export function evaluationRoutes(app: FastifyInstance, options: EvaluationOptions): void {
  const { handler, profileOverride, load, headers, hooks, prefix = "" } = options;
  const writer = new ReplyWriter(headers, hooks);
  const evaluate = (request: FastifyRequest, reply: FastifyReply): void => {
    const target = targetOf(request);
    const read = readEvaluationBody(request.body, target.served, profileOverride);
    if ("refusal" in read) sendJson(reply, read.refusal.status, read.refusal.body);
    else handler.respond(new ServerExchange(request, reply, load, read, writer), target);
  };
  app.post(prefix + evaluationPath, { config: ofDecision }, evaluate);
  app.post(prefix + pinnedPath, { config: ofDecision }, evaluate);
}
