/** Where faults are logged. Pino's and Fastify's loggers are of this shape. */
export interface Logger {
  error(details: Readonly<Record<string, unknown>>, message: string): void;
}

/** Writes to standard error. */
export const consoleLogger: Logger = {
  error: (details, message) => console.error(message, details),
};
