import type { Response } from "express";

/** Ways of Express to reply whose headers follow later. */
const slowWays = ["render", "sendFile"] as const;

/**
 * Watches whether a response is begun from now on. `headersSent` alone misses a view that is rendering, a file that is
 * opened, and a stream that is piped in.
 *
 * @returns tells, once, whether the response was sent, or is on its way
 */
export function watchReply(response: Response): () => boolean {
  let begun = false;
  const begin = (): void => {
    begun = true;
  };
  response.once("pipe", begin);
  for (const way of slowWays) {
    const original: unknown = response[way];
    if (typeof original !== "function") continue;
    Reflect.set(response, way, (...args: unknown[]): unknown => {
      begin();
      return Reflect.apply(original, response, args);
    });
  }
  return () => {
    response.removeListener("pipe", begin);
    return begun || response.headersSent;
  };
}
