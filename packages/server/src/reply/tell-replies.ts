import type { EvaluationObserver, Logger, ReplyEvent } from "@decern/core";
import { notifyObservers } from "@decern/core/host";
import { neverThrowing, readable } from "@decern/core/tools";
import type { FastifyInstance } from "fastify";

/** Tells observers that the server replied. */
export type ReplyTeller = (event: ReplyEvent) => void;

/** @returns `undefined` where no observer listens, so that replies cost nothing more */
export function replyTeller(
  observers: readonly EvaluationObserver[],
  logger: Logger,
): ReplyTeller | undefined {
  const listening = observers.filter(({ onReplied }) => onReplied !== undefined);
  if (listening.length === 0) return undefined;
  const safe = neverThrowing(logger);
  return (event) =>
    notifyObservers(
      listening,
      (observer) => observer.onReplied?.({ ...event }),
      (thrown) => safe.error({ err: readable(thrown) }, "An observer failed"),
    );
}

/**
 * Tells of every reply of Fastify's. `HttpServers` and `createApp` tell of those that run no hooks.
 *
 * @param authenticates - whether routes may reply 401
 */
export function tellReplies(app: FastifyInstance, tell: ReplyTeller, authenticates: boolean): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    const { open, vital } = config?.decern ?? {};
    const faults = [...(authenticates && open !== true ? [401] : []), 500, ...(vital === true ? [] : [503])];
    for (const one of [method].flat()) {
      if (one === "HEAD" || one === "OPTIONS") continue;
      for (const status of faults) tell({ route: url, method: one, status, count: 0 });
    }
  });
  app.addHook("onRequest", function watchReply({ method, routeOptions }, { raw: response }, done) {
    const beganMs = performance.now();
    const { url: route } = routeOptions;
    let isTold = false;
    // Not `onResponse`, for which Fastify adds two listeners and removes them again. `inject` emits the event twice.
    response.on("finish", () => {
      if (isTold) return;
      isTold = true;
      const durationSeconds = (performance.now() - beganMs) / 1000;
      tell({ route, method, status: response.statusCode, count: 1, durationSeconds });
    });
    done();
  });
}
