import { DecernError, type ErrorCode, type Origin } from "@decern/core";
import {
  createOriginReader,
  hasForbiddenKey,
  isUtf8Type,
  type MountedRoute,
  parseJsonBody,
  requestIdFrom,
} from "@decern/core/host";
import type { Request, Response } from "express";
import express from "express";

/** The path of a feature's route, which may end with a parameter. */
export class FeaturePath {
  /** Not Express's own syntax: Express decodes parameters, and gives the host's error handling what is not valid percent-encoding. */
  readonly pattern: RegExp;
  readonly #base: string;

  constructor({ base, hasParameter }: MountedRoute) {
    this.#base = base;
    this.pattern = new RegExp(`^${base.replaceAll(/[^\w/-]/g, "\\$&")}${hasParameter ? "/.*" : ""}$`);
  }

  /** What a path that matches has for the parameter; `undefined` when it is not valid percent-encoding. */
  restOf(path: string): string | undefined {
    try {
      return decodeURIComponent(path.slice(this.#base.length + 1));
    } catch {
      return undefined;
    }
  }
}

/**
 * Matches the paths of one decision's versions. Not `:version`: Express decodes that, and gives the host's error handling what
 * is not valid percent-encoding.
 *
 * @param path - the decision's own
 * @param rest - what follows the version
 */
export function versionPath(path: string, rest = ""): RegExp {
  // Paths consist of unreserved characters, of which only the dot has a meaning here.
  const [before, after] = [path, rest].map((text) => text.replaceAll(".", "\\."));
  return new RegExp(`^${before}/versions/[^/]+${after}$`);
}

/** The version in such a path; `undefined` when it is not valid percent-encoding. @param decision - the decision's own path */
export function versionIn({ path }: Pick<Request, "path">, decision: string): string | undefined {
  try {
    return decodeURIComponent(path.slice(`${decision}/versions/`.length).split("/", 1)[0] ?? "");
  } catch {
    return undefined;
  }
}

const parsedType = /^\s*application\/json\s*(?:;|$)/i;

const anyJson = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Receives what is wrong with the caller's body, or what failed while reading it. */
type BodyRead = (problem: ErrorCode | undefined, failure?: unknown) => void;

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

/** How a host reads requests. */
export interface Reading {
  readonly origin: (request: Request) => Origin;
  readonly input: (request: Request) => unknown;
}

/** @param callbacks - of the host. @default the input is the body, and no caller is known */
export function readingOf({
  caller,
  inputMapper = ({ body }) => body,
}: {
  readonly caller?: ((request: Request) => string | undefined) | undefined;
  readonly inputMapper?: ((request: Request) => unknown) | undefined;
}): Reading {
  return { origin: createOriginReader(requestAccess, caller), input: inputMapper };
}

function parse(request: Request, bytes: Uint8Array): ErrorCode | undefined {
  request.body = undefined;
  try {
    request.body = parseJsonBody(bytes);
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

/** Reads Express's request as its routers do. They move the part of `url` that they matched to `baseUrl`. */
const requestAccess: Parameters<typeof createOriginReader<Request>>[0] = {
  method: (request) => request.method,
  url: ({ baseUrl, path, originalUrl }) => {
    // What is left of `/reports` below a router at `/reports` is nothing, which Express calls `/`.
    const isAdded = path === "/" && baseUrl !== "" && originalUrl.replace(/[?#].*$/s, "").endsWith(baseUrl);
    return isAdded ? baseUrl : baseUrl + path;
  },
  headers: (request) => request.headers,
  ip: (request) => request.ip,
};

/** The request's id: the caller's if it is valid, else the one an earlier decision gave this request, else a new one. */
export function requestIdOf(request: Request, response: Response): string {
  return requestIdFrom(request.headers["x-request-id"], response.getHeader("x-request-id"));
}
