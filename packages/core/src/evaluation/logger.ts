import { ignoreRejection } from "../awaitable.js";

/** Where faults are logged. Pino's and Fastify's loggers are of this shape. */
export interface Logger {
  error(details: Readonly<Record<string, unknown>>, message: string): void;
}

/** Writes to standard error. */
export const consoleLogger: Logger = {
  error: (details, message) => {
    try {
      console.error(message, details);
    } catch {
      // What was thrown cannot even be written; that something was, can.
      console.error(message);
    }
  },
};

/** A logger whose own failure breaks nothing: what it was told is lost, and the evaluation goes on. */
export function neverThrowing(logger: Logger): Logger {
  return {
    error(details, message) {
      try {
        // Nobody waits for a log; one that is asynchronous all the same must not end the process.
        const answer: unknown = logger.error(details, message);
        ignoreRejection(answer);
      } catch {
        // Whom to tell?
      }
    },
  };
}
