import type { Problem } from "@decern/core";
import fastify from "fastify";
import type { ServerOptions } from "./options.js";

/** Finds what Fastify would not take for `trustProxy`: it reads addresses when an application is made, and throws. */
export function trustProxyProblems(trustProxy: ServerOptions["trustProxy"]): Problem[] {
  if (trustProxy === undefined || typeof trustProxy === "boolean" || typeof trustProxy === "function")
    return [];
  // Fastify would take them for no proxy, or for none that can be believed.
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
    return [{ path: "/trustProxy", message: `is not what Fastify takes: ${reason}` }];
  }
  return [];
}
