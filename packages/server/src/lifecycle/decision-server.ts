import { DecernError, type MetricsCollectorPort } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { errorCode } from "../base/values.js";
import type { ListenOptions } from "../options/options.js";

/** A standalone server of decisions. */
export interface DecisionServer {
  /** The Fastify instance: add plugins and routes to it before `listen`, or `inject` requests. */
  readonly handler: FastifyInstance;
  /** The metrics collector; `null` when metrics are off. */
  readonly metrics: MetricsCollectorPort | null;
  /**
   * Binds a port, then prints the address of the service.
   *
   * @param port - 0 chooses a free one. @default 3000
   * @returns the address, such as `http://127.0.0.1:3000`
   * @throws DecernError `ADDRESS_IN_USE`; `INVALID_OPTIONS` for a port or host that cannot be bound; `SERVER_CLOSING`
   *   after `close()`
   */
  listen(port?: number, options?: ListenOptions): Promise<string>;
  /**
   * Stops the server: readiness returns 503, new requests are refused, running evaluations get their replies, and
   * connections end. After `closeTimeoutMs` the remaining connections are cut. Calling it again waits for the same end.
   *
   * @throws DecernError `CLOSE_FAILED`, which is also logged, if one of your `onClose` hooks failed or a hook did not settle in
   *   time; all connections have ended nevertheless
   */
  close(): Promise<void>;
}

/** Turns what `server.listen` failed with into an error that says what to do. */
export function listenError(error: unknown, port: number, host: string): DecernError {
  const code = errorCode(error);
  if (code === "EADDRINUSE") {
    return new DecernError("ADDRESS_IN_USE", {
      detail: `${host}:${port}. Stop the process that listens there, or pass another port to listen()`,
      cause: error,
    });
  }
  return new DecernError("INVALID_OPTIONS", {
    detail: `cannot listen on ${host}:${port} (${String(code)})`,
    cause: error,
  });
}

/** The text that `listen` prints once the server is bound. */
export function startupNotice(origin: string, port: number, decisionCount: number, docs: boolean): string {
  const noun = decisionCount === 1 ? "decision" : "decisions";
  return [
    `Decern is listening on port ${port} with ${decisionCount} ${noun}`,
    ...(docs ? [`  Docs: ${origin}/docs`] : []),
    `  API:  ${origin}/decisions`,
    "",
  ].join("\n");
}

/** An `onClose` hook as Fastify calls it. */
type CloseHook = (this: unknown, instance: unknown, done: (error?: unknown) => void) => void;

/**
 * Makes `onClose` hooks of an application and its scopes report what they throw through their callback. Fastify does not
 * catch it: the process would end, or `close()` would never settle. docs/adr/0010 says why this wraps `addHook`.
 *
 * Checked with Fastify 5 on Node 20.20 and 24, by test/closing.test.ts.
 */
export function settleCloseHooks(app: FastifyInstance): void {
  const { addHook } = app;
  Object.defineProperty(app, "addHook", {
    configurable: true,
    writable: true,
    value: function addHookThatSettles(this: unknown, name: unknown, hook: unknown): unknown {
      if (name !== "onClose" || typeof hook !== "function") return Reflect.apply(addHook, this, [name, hook]);
      const takesCallback = hook.length > 1;
      const settling: CloseHook = function onClose(instance, done) {
        const fail = (thrown: unknown): void =>
          done(thrown ?? new Error("an onClose hook threw undefined or null"));
        try {
          const returned: unknown = Reflect.apply(hook, this, [instance, ...(takesCallback ? [done] : [])]);
          if (!takesCallback) Promise.resolve(returned).then(() => done(), fail);
        } catch (thrown) {
          fail(thrown);
        }
      };
      return Reflect.apply(addHook, this, [name, settling]);
    },
  });
}
