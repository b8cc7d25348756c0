import type { Problem } from "@decern/core";
import fastify from "fastify";
import type { ServerOptions } from "./options.js";

/** Finds values of `trustProxy` that Fastify rejects. It parses addresses when an application is created, and throws. */
export function trustProxyProblems(trustProxy: ServerOptions["trustProxy"]): Problem[] {
  if (trustProxy === undefined || typeof trustProxy === "boolean" || typeof trustProxy === "function")
    return [];
  // Fastify would silently trust no proxy.
  if (
    trustProxy === null ||
    (typeof trustProxy === "number" && !(Number.isInteger(trustProxy) && trustProxy >= 0))
  ) {
    return [
      { path: "/trustProxy", message: "must be true or false, addresses, a whole number, or a function" },
    ];
  }
  try {
    fastify({ trustProxy });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ path: "/trustProxy", message: `is rejected by Fastify: ${reason}` }];
  }
  return [];
}
