import { inspect } from "node:util";
import { DecernError } from "@decern/core";
import { readable } from "@decern/core/tools";
import type { ThreadError } from "./thread-messages.js";

/** What of an error goes to another thread: text, since not everything that is thrown can be copied. */
export function toThreadError(thrown: unknown): ThreadError {
  const error = readable(thrown);
  if (!(error instanceof Error))
    return { message: inspect(error), stack: undefined, code: undefined, problems: [] };
  const isOurs = error instanceof DecernError;
  return {
    message: error.message,
    // With its causes.
    stack: inspect(error),
    code: isOurs ? error.code : undefined,
    problems: isOurs ? error.problems.map(({ path, message }) => ({ path, message })) : [],
  };
}

/** The error again, with the stack that it had in its thread. */
export function fromThreadError({ message, stack, code, problems }: ThreadError): Error {
  const error = code === undefined ? new Error(message) : new DecernError(code, { problems });
  error.message = message;
  if (stack !== undefined) error.stack = stack;
  return error;
}
