import { ignoreRejection } from "./awaitable.js";

/** Where errors are logged. Pino's and Fastify's loggers are of this shape. */
export interface Logger {
  error(details: Readonly<Record<string, unknown>>, message: string): void;
  /** Called with warnings at start. Optional. */
  warn?(details: Readonly<Record<string, unknown>>, message: string): void;
  /** Called with who looked at records, and with the heads of their chains. Optional. */
  info?(details: Readonly<Record<string, unknown>>, message: string): void;
}

/** Writes to standard error. */
export const consoleLogger: Required<Logger> = {
  error: (details, message) => {
    try {
      console.error(message, details);
    } catch {
      // What was thrown cannot even be written; that something was, can.
      console.error(message);
    }
  },
  warn: (details, message) => console.warn(message, details),
  // `console.info` would write to standard output.
  info: (details, message) => console.warn(message, details),
};

/** The logger that an option asks for. @param standard - without the option */
export function loggerOf(given: Logger | false | undefined, standard: Logger = consoleLogger): Logger {
  return given === false ? silent : (given ?? standard);
}

const silent: Logger = { error() {} };

/** A logger whose own failure breaks nothing: what it received is lost, and the evaluation continues. */
export function neverThrowing(logger: Logger = consoleLogger): Required<Logger> {
  const tell = (write: () => unknown): void => {
    try {
      // Nothing waits for a log; one that is asynchronous all the same must not end the process.
      ignoreRejection(write());
    } catch {
      // There is nowhere to report it.
    }
  };
  return {
    error: (details, message) => tell(() => logger.error(details, message)),
    warn: (details, message) => tell(() => logger.warn?.(details, message)),
    info: (details, message) => tell(() => logger.info?.(details, message)),
  };
}
