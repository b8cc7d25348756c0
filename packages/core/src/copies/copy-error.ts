import { DecernError } from "../errors.js";

/** Copies an error of ours for somebody who watches. Its cause is the very thing that was thrown. */
export function copyError(error: DecernError): DecernError {
  const { code, statusCode, problems, message, stack } = error;
  const copy = new DecernError(code, {
    statusCode,
    problems: problems.map((problem) => ({ ...problem })),
    ...("cause" in error ? { cause: error.cause } : {}),
  });
  copy.message = message;
  if (stack !== undefined) copy.stack = stack;
  return copy;
}
