import type { IncomingMessage, Server } from "node:http";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Awaitable, Decision, EvaluatorOptions, Result } from "../../packages/core/src/index.js";
import type { HostReply } from "./host-suite.js";
import { recording } from "./recording.js";

/** Options of what evaluates one decision. JavaScript hosts may give others. */
export interface OneDecision<Request, Reply> extends EvaluatorOptions {
  readonly decision: Decision;
  readonly profile?: unknown;
  readonly profileResolver?: (request: Request) => unknown;
  readonly inputMapper?: (request: Request) => unknown;
  readonly caller?: (request: Request) => string | undefined;
  readonly isDenied?: (result: Result) => boolean;
  readonly onDeny?: (result: Result, request: Request, reply: Reply) => unknown;
  readonly onResult?: (result: Result, request: Request, reply: Reply) => unknown;
}

/** An application around a decision. */
export interface Surroundings<Request, Reply> {
  /** Runs for each request before the decision. */
  readonly before?: (request: Request, reply: Reply) => void;
  /** Runs instead of the framework's own error handling: returns the status of a reply with `"the host's"`. */
  readonly onError?: ((error: unknown, request: Request) => number) | undefined;
  /** Runs behind a guard, and replies with `"the handler behind"`. */
  readonly entered: (request: Request) => void;
  /** The decision that a guard protects, instead of that handler. */
  readonly behind?: OneDecision<Request, Reply> | undefined;
  /** What holds each reply back: one of the framework's `delays`. */
  readonly delay?: string | undefined;
}

export interface App {
  /** Posts to the decision's id, JSON if there is a body. */
  send(id: string, headers: Readonly<Record<string, string>>, body: string | undefined): Promise<HostReply>;
  listen(): Promise<Server>;
  close(): Awaitable<unknown>;
}

/** A way in which the host's own code replies, with what then arrives. */
export interface OwnReply<Reply> {
  readonly name: string;
  readonly send: (reply: Reply) => unknown;
  readonly status: number;
  readonly text: string;
}

/** A web framework, and the adapter for it. */
export interface Framework<Request, Reply> {
  readonly name: string;
  /** Makes an application with a decision at `POST /<id>`, in one of the ways below. */
  mount(way: string, options: OneDecision<Request, Reply>, app: Surroundings<Request, Reply>): Awaitable<App>;
  /** What serves a set of decisions, one decision, or protects a handler. */
  readonly ways: {
    readonly set: string;
    readonly one: readonly string[];
    readonly guard: readonly [string, ...string[]];
  };
  /** What may keep replies from leaving at once, by name. */
  readonly delays: readonly string[];
  readonly replies: readonly OwnReply<Reply>[];
  /** Sends a text. */
  reply(reply: Reply, status: number, text: string): void;
  setHeader(reply: Reply, name: string, value: string): void;
  isSent(reply: Reply): boolean;
  decision(request: Request): Result | undefined;
  raw(request: Request): IncomingMessage;
}

/** The handling of an error, with the result that the request then had. */
export interface Handled {
  readonly error: unknown;
  readonly status: Result["status"] | undefined;
}

export type StartOptions<Request, Reply> = Partial<OneDecision<Request, Reply>> &
  Pick<OneDecision<Request, Reply>, "decision">;

/** Starts applications, which close after each test. Rejections that nobody handles fail the file. */
export function starter<Request, Reply>(framework: Framework<Request, Reply>) {
  const unhandled: unknown[] = [];
  const collect = (reason: unknown): void => void unhandled.push(reason);
  beforeAll(() => {
    process.on("unhandledRejection", collect);
    process.on("uncaughtException", collect);
  });
  afterAll(() => {
    process.off("unhandledRejection", collect);
    process.off("uncaughtException", collect);
    expect(unhandled).toEqual([]);
  });
  const open: App[] = [];
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close();
  });

  return async function start(
    way: string,
    options: StartOptions<Request, Reply>,
    around: Pick<Surroundings<Request, Reply>, "before" | "behind" | "delay"> = {},
  ) {
    const record = recording();
    const handled: Handled[] = [];
    const entered: (Result | undefined)[] = [];
    const app = await framework.mount(
      way,
      { ...record.options, ...options },
      {
        ...around,
        behind: around.behind && { ...record.options, ...around.behind },
        onError: (error, request) => {
          handled.push({ error, status: framework.decision(request)?.status });
          return Number(Reflect.get(Object(error), "statusCode") ?? 500);
        },
        entered: (request) => void entered.push(framework.decision(request)),
      },
    );
    open.push(app);
    const send = (body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      app.send(options.decision.id, headers, body === undefined ? undefined : JSON.stringify(body));
    return { ...record, app, handled, entered, send };
  };
}
