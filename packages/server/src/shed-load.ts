import { type Clock, tableReply } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { LoadGate } from "./load-gate.js";
import type { OverloadOptions } from "./overload.js";
import { sendError } from "./send.js";

/** Refuses what cannot be served soon, on every route but the vital ones. */
export function shedLoad(app: FastifyInstance, options: OverloadOptions, clock: Clock): void {
  const gate = new LoadGate(options, clock);
  const retryAfter = String(gate.retryAfterSeconds);
  app.addHook("onRequest", (request, reply, done) => {
    if (request.routeOptions.config.decern?.vital === true) {
      done();
    } else if (gate.enter()) {
      // Also when the client goes away before the answer.
      reply.raw.once("close", () => gate.leave());
      done();
    } else {
      reply.header("retry-after", retryAfter);
      sendError(reply, tableReply("OVERLOADED"));
    }
  });
  app.addHook("onClose", async () => gate.stop());
}
