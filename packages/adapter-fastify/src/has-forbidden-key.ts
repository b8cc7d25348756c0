import { DecernError } from "@decern/core";
import { parseJsonBody } from "@decern/core/host";

/** Tells whether a text that Fastify's parser refused is JSON all the same, with a forbidden key in it. */
export function hasForbiddenKey(text: string): boolean {
  try {
    parseJsonBody(text);
    return false;
  } catch (error) {
    return error instanceof DecernError && error.code === "FORBIDDEN_KEY";
  }
}
