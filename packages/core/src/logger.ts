/** Where faults are logged. Pino's and Fastify's loggers are of this shape. */
export interface Logger {
  error(details: Readonly<Record<string, unknown>>, message: string): void;
}

/** Writes to standard error. */
export const consoleLogger: Logger = {
  error: (details, message) => console.error(message, details),
};

/** A logger whose own failure breaks nothing: what it was told is lost, and the evaluation goes on. */
export function neverThrowing(logger: Logger): Logger {
  return {
    error(details, message) {
      try {
        logger.error(details, message);
      } catch {
        // Whom to tell?
      }
    },
  };
}
