import type { Logger } from "@decern/core";

/** Logs what goes wrong, and leaves out what a log says as it goes along, such as its head. */
export const quietLogger: Logger = {
  error: (details, message) => console.error(message, details),
  warn: (details, message) => console.error(message, details),
  info: () => {},
};
