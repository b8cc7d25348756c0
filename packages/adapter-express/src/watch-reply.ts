import type { Response } from "express";

/** Ways to reply whose headers may follow later. */
const slowWays = ["render", "sendFile", "write", "writeHead"] as const;

/** Tells how far a response has come. What Node says of it alone is not enough: see {@link watchReply}. */
export interface ReplyWatch {
  /** A callback of the host's is about to run, and may reply in any way there is. */
  expectReply(): void;
  /** Whether somebody has replied, or is about to. */
  hasBegun(): boolean;
  /** Whether a reply is complete, as far as its sender is concerned. */
  hasEnded(): boolean;
}

/**
 * Watches a response from now on. `headersSent` and `writableEnded` stay false while a middleware holds the reply back: one
 * for sessions replaces `end`, and calls the real one when its store has saved. They also miss a view that is rendering, a
 * file that is opened, and a stream that is piped in. Replying anyway would write into somebody else's reply.
 */
export function watchReply(response: Response): ReplyWatch {
  let begun = false;
  let ended = false;
  const begin = (): void => {
    begun = true;
  };
  const { end }: { readonly end: unknown } = response;
  // Put over what middlewares before us have put there.
  if (typeof end === "function") {
    Object.assign(response, {
      end(...args: unknown[]): unknown {
        const answer: unknown = Reflect.apply(end, response, args);
        ended = true;
        return answer;
      },
    });
  }
  return {
    expectReply() {
      response.once("pipe", begin);
      for (const way of slowWays) {
        const original: unknown = response[way];
        if (typeof original !== "function") continue;
        Reflect.set(response, way, (...args: unknown[]): unknown => {
          begin();
          return Reflect.apply(original, response, args);
        });
      }
    },
    hasBegun() {
      response.removeListener("pipe", begin);
      return begun || ended || response.headersSent;
    },
    hasEnded: () => ended || response.writableEnded,
  };
}
