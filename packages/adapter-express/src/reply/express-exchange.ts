import type { ErrorCode, Result } from "@decern/core";
import { errorBody, type GuardedExchange, tableReply } from "@decern/core/host";
import type { NextFunction, Request, Response } from "express";
import { requestIdOf } from "../request/request-id.js";
import { type ReplyWatch, watchReply } from "./watch-reply.js";

/** One Express request and the reply to it. */
export class ExpressExchange implements GuardedExchange<unknown> {
  readonly handsOverHostErrors = true;
  readonly requestId: string;
  readonly #request: Request;
  readonly #response: Response;
  readonly #next: NextFunction;
  readonly #watch: ReplyWatch;

  constructor(request: Request, response: Response, next: NextFunction) {
    this.requestId = requestIdOf(request, response);
    this.#request = request;
    this.#response = response;
    this.#next = next;
    this.#watch = watchReply(response);
  }

  /** Binds one of the host's callbacks to this request. The callback may reply in any way Express offers. */
  callback<Output>(
    callback: ((result: Result<Output>, request: Request, response: Response) => unknown) | undefined,
  ): ((result: Result<Output>) => unknown) | undefined {
    if (callback === undefined) return undefined;
    return (result) => {
      this.onDecided(result);
      this.#watch.expectReply();
      return callback(result, this.#request, this.#response);
    };
  }

  onDecided(result: Result | undefined): void {
    this.#request.decision = result;
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
    this.write(refusal.status, errorBody(refusal), this.requestId);
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
