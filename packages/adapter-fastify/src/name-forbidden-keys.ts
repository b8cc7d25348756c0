import { DecernError } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { hasForbiddenKey } from "./has-forbidden-key.js";

/**
 * Lets the parser of a scope tell a forbidden key from malformed JSON, which Fastify's own does not. A parser that the
 * host has put in its place stays.
 */
export function nameForbiddenKeys(scope: FastifyInstance): void {
  const { onProtoPoisoning = "error", onConstructorPoisoning = "error" } = scope.initialConfig;
  const parse = scope.getDefaultJsonParser(onProtoPoisoning, onConstructorPoisoning);
  try {
    scope.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, text, done) => {
      parse(request, text, (error, value) => {
        done(error !== null && hasForbiddenKey(text) ? new DecernError("FORBIDDEN_KEY") : error, value);
      });
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "FST_ERR_CTP_ALREADY_PRESENT") throw error;
  }
}
