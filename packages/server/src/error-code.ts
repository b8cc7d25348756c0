/** The `code` of an error of Node's, Fastify's or the host's. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
