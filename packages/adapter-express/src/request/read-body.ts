import { DecernError, type ErrorCode } from "@decern/core";
import { isUtf8Type, jsonText } from "@decern/core/host";
import { hasForbiddenKey, parseJsonBody } from "@decern/core/tools";
import express, { type Request, type Response } from "express";

const parsedType = /^\s*application\/json\s*(?:;|$)/i;
const anyJson = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Receives what is wrong with the caller's body, or what failed while reading it. */
export type BodyRead = (problem: ErrorCode | undefined, failure?: unknown) => void;

/**
 * Makes the reader that leaves parsed JSON without forbidden keys in `request.body`. It parses the body if the host hasn't.
 *
 * @param limit - in bytes
 * @param required - whether to refuse a body that isn't JSON
 */
export function createBodyReader(
  limit: number,
  required: boolean,
): (request: Request, response: Response, done: BodyRead) => void {
  const readBytes = express.raw({ type: (request) => parsedType.test(contentType(request)), limit });
  return (request, response, done) => {
    const type = contentType(request);
    if (isParsed(request)) {
      if (required && type !== "" && !(anyJson.test(type) && isUtf8Type(type)))
        return done("UNSUPPORTED_MEDIA_TYPE");
      return done(hasForbiddenKey(request.body) ? "FORBIDDEN_KEY" : undefined);
    }
    // Without a body there is no input, although Express 4 puts `{}` there. An inputMapper sees what the host left.
    if (required) request.body = undefined;
    if (request.method === "GET" || request.method === "HEAD") return done(undefined);
    if (!parsedType.test(type)) {
      const isAbsent = type === "" && !hasBody(request);
      return done(isAbsent || !required ? undefined : "UNSUPPORTED_MEDIA_TYPE");
    }
    if (!isUtf8Type(type)) return done("UNSUPPORTED_MEDIA_TYPE");
    if (!hasBody(request)) return done("INVALID_JSON");
    readBytes(request, response, (error?: unknown) => {
      if (error !== undefined && error !== null) {
        const problem = problemOf(error);
        return problem === undefined ? done(undefined, error) : done(problem);
      }
      const bytes: unknown = request.body;
      done(bytes instanceof Uint8Array ? parse(request, bytes) : "BAD_REQUEST");
    });
  };
}

/** The default input. */
export function bodyOf(request: Request): unknown {
  return request.body;
}

function parse(request: Request, bytes: Uint8Array): ErrorCode | undefined {
  request.body = undefined;
  try {
    request.body = parseJsonBody(jsonText(bytes));
    return undefined;
  } catch (error) {
    return error instanceof DecernError ? error.code : "INVALID_JSON";
  }
}

/** Express 4 sets `{}` where its parsers haven't read. Any other body was parsed, or set by other middleware. */
function isParsed(request: Request): boolean {
  if (request.readableDidRead || request.readableEnded) return true;
  const body: unknown = request.body;
  if (body === undefined || body === null) return false;
  return typeof body !== "object" || Array.isArray(body) || Object.keys(body).length > 0;
}

function hasBody({ headers }: Request): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function contentType(request: { readonly headers: Request["headers"] }): string {
  return request.headers["content-type"] ?? "";
}

function problemOf(error: unknown): ErrorCode | undefined {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  if (status === 413) return "BODY_TOO_LARGE";
  if (status === 415) return "UNSUPPORTED_MEDIA_TYPE";
  return typeof status === "number" && status >= 400 && status < 500 ? "BAD_REQUEST" : undefined;
}
