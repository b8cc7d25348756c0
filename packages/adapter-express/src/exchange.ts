import type { ErrorCode, Origin, Result } from "@decern/core";
import { errorBody, type GuardedExchange, tableReply } from "@decern/core/host";
import type { NextFunction, Request, Response } from "express";
import { type Reading, requestIdOf } from "./request.js";

/** Methods that reply, and whose headers may leave later. */
const slowWays = ["render", "sendFile", "write", "writeHead"] as const;

/** Tells how far a response has come. */
interface ReplyWatch {
  /** Call this before one of the host's callbacks runs: it may reply in any way Express offers. */
  expectReply(): void;
  /** Whether somebody has replied or started to. */
  hasBegun(): boolean;
  /** Whether the sender of the reply has finished it. */
  hasEnded(): boolean;
}

/**
 * Watches a response from now on, by wrapping methods of this one response. Node and Express document no other way:
 * `headersSent` and `writableEnded` stay false while a middleware holds a reply back. express-session, for example, replaces
 * `end` and calls the real one after its store has saved. They also stay false while a view renders or a file opens. A second
 * reply at that time would corrupt the first.
 *
 * Checked with Express 4.22 and 5.3 and express-session 1.19, by `test/held-back.test.ts`. See ADR 12.
 */
function watchReply(response: Response): ReplyWatch {
  let begun = false;
  let ended = false;
  const begin = (): void => {
    begun = true;
  };
  const { end }: { readonly end: unknown } = response;
  // Earlier middleware may have replaced `end` already. This wraps whatever is there.
  if (typeof end === "function") {
    Object.assign(response, {
      end(...args: unknown[]): unknown {
        const returned: unknown = Reflect.apply(end, response, args);
        ended = true;
        return returned;
      },
    });
  }
  return {
    expectReply() {
      response.once("pipe", begin);
      for (const way of slowWays) {
        const original: unknown = response[way];
        if (typeof original !== "function") continue;
        Reflect.set(response, way, (...args: unknown[]): unknown => {
          begin();
          return Reflect.apply(original, response, args);
        });
      }
    },
    hasBegun() {
      response.removeListener("pipe", begin);
      return begun || ended || response.headersSent;
    },
    hasEnded: () => ended || response.writableEnded,
  };
}

/** One Express request and the reply to it. */
export class ExpressExchange implements GuardedExchange<Request> {
  readonly handsOverHostErrors = true;
  readonly source: Request;
  readonly requestId: string;
  readonly #reading: Reading;
  readonly #response: Response;
  readonly #next: NextFunction;
  readonly #watch: ReplyWatch;

  constructor(request: Request, response: Response, next: NextFunction, reading: Reading) {
    this.source = request;
    this.requestId = requestIdOf(request, response);
    this.#reading = reading;
    this.#response = response;
    this.#next = next;
    this.#watch = watchReply(response);
  }

  origin(): Origin {
    return this.#reading.origin(this.source);
  }

  input(): unknown {
    return this.#reading.input(this.source);
  }

  /** Binds one of the host's callbacks to this request. The callback may reply in any way Express offers. */
  callback(
    callback: ((result: Result, request: Request, response: Response) => unknown) | undefined,
  ): ((result: Result) => unknown) | undefined {
    if (callback === undefined) return undefined;
    return (result) => {
      this.onDecided(result);
      this.#watch.expectReply();
      return callback(result, this.source, this.#response);
    };
  }

  onDecided(result: Result | undefined): void {
    this.source.decision = result;
  }

  hasBegun(): boolean {
    return this.#watch.hasBegun();
  }

  hasEnded(): boolean {
    return this.#watch.hasEnded();
  }

  write(
    status: number,
    body: string,
    requestId: string,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    const response = this.#response;
    // The client may have gone.
    if (this.hasBegun() || response.destroyed) return;
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) {
      // The host may have links of its own.
      if (name === "link") response.append(name, value);
      else response.setHeader(name, value);
    }
    // The host may have said otherwise.
    if (!response.hasHeader("cache-control")) response.setHeader("cache-control", "no-store");
    response.setHeader("x-request-id", requestId);
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.setHeader("content-length", Buffer.byteLength(body));
    response.end(body);
  }

  /** Replies that the request is the caller's mistake. */
  refuse(code: ErrorCode): void {
    const refusal = tableReply(code);
    const headers = refusal.status === 503 ? { "retry-after": "1" } : undefined;
    this.write(refusal.status, errorBody(refusal), this.requestId, headers);
  }

  leave(): void {}

  fail(error: Error, requestId: string): void {
    if (this.hasEnded()) return;
    if (!this.#response.headersSent) this.#response.setHeader("x-request-id", requestId);
    this.#next(error);
  }

  pass(requestId: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.setHeader("x-request-id", requestId);
    for (const [name, value] of Object.entries(headers)) this.#response.setHeader(name, value);
    this.#next();
  }
}
