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
      detail: `${host}:${port}. Stop the process that listens there, or choose another port`,
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
