import type { Result } from "@decern/core";

declare global {
  namespace Express {
    interface Request {
      /** The result of the latest decision evaluated for this request. */
      decision?: Result | undefined;
    }
  }
}
