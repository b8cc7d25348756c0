import { DecernError, type MetricsCollectorPort } from "@decern/core";
import type { FastifyInstance } from "fastify";
import type { ListenOptions } from "../options/options.js";

/** A standalone server of decisions. */
export interface DecisionServer {
  /** The Fastify instance: add plugins and routes to it before `listen`, or `inject` requests. */
  readonly handler: FastifyInstance;
  /** What counts, when metrics are on. */
  readonly metrics: MetricsCollectorPort | null;
  /**
   * Binds a port, then prints where the service is.
   *
   * @param port - 0 takes any free one. @default 3000
   * @returns the address, such as `http://127.0.0.1:3000`
   * @throws DecernError `ADDRESS_IN_USE`; `INVALID_OPTIONS` for a port or host that cannot be bound; `SERVER_CLOSING`
   *   after `close()`
   */
  listen(port?: number, options?: ListenOptions): Promise<string>;
  /**
   * Stops: readiness turns 503, new requests are refused, running evaluations are answered, connections end. Bounded by
   * `closeTimeoutMs`, at which connections are ended whatever goes on. Calling it again waits for the same end.
   *
   * @throws DecernError `CLOSE_FAILED`, which is logged too, when an `onClose` hook of yours failed, or a hook did not settle in
   *   time; connections have ended all the same
   */
  close(): Promise<void>;
}

/** What `server.listen` failed with, as what its caller can act on. */
export function listenError(error: unknown, port: number, host: string): DecernError {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return new DecernError("ADDRESS_IN_USE", {
      detail: `${host}:${port}. Stop what listens there, or give listen() another port`,
      cause: error,
    });
  }
  return new DecernError("INVALID_OPTIONS", {
    detail: `cannot listen on ${host}:${port} (${String(code)})`,
    cause: error,
  });
}
