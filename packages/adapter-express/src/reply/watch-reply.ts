import type { Response } from "express";

/** Methods that reply, and whose headers may leave later. */
const slowWays = ["render", "sendFile", "write", "writeHead"] as const;

/** Tells how far a response has come. */
export interface ReplyWatch {
  /** Call this before one of the host's callbacks runs: it may reply in any way Express offers. */
  expectReply(): void;
  /** Whether somebody has replied or started to. */
  hasBegun(): boolean;
  /** Whether the sender of the reply has finished it. */
  hasEnded(): boolean;
}

/**
 * Watches a response from now on, by wrapping methods of this one response. Node and Express document no other way:
 * `headersSent` and `writableEnded` stay false while a middleware holds a reply back. express-session, for example, replaces
 * `end` and calls the real one after its store has saved. They also stay false while a view renders or a file opens. A second
 * reply at that time would corrupt the first.
 *
 * Checked with Express 4.22 and 5.3 and express-session 1.19, by `test/held-back.test.ts`. See ADR 12.
 */
export function watchReply(response: Response): ReplyWatch {
  let begun = false;
  let ended = false;
  const begin = (): void => {
    begun = true;
  };
  const { end }: { readonly end: unknown } = response;
  // Earlier middleware may have replaced `end` already. This wraps whatever is there.
  if (typeof end === "function") {
    Object.assign(response, {
      end(...args: unknown[]): unknown {
        const returned: unknown = Reflect.apply(end, response, args);
        ended = true;
        return returned;
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
