import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { DecernError, type Feature } from "@decern/core";
import { tableReply } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Generation, oncePerSet } from "../base/values.js";
import { type Body, compressing, createBody, revalidate, sendBody } from "../pages/page-body.js";
import { assetRoute, type LazyPage, lazyPage, placed } from "../pages/page-routes.js";
import { CachedDocument, sendError } from "../reply/send.js";
import { openPage } from "../request/routing.js";

/**
 * The OpenAPI document for `@fastify/swagger`, which requires it at registration. Building it for thousands of decisions takes
 * seconds, so until it is serialised this is a valid document without paths. `toJSON` then builds the real one:
 * `JSON.stringify` calls it as the language specifies, and the `yaml` package as it documents. docs/adr/0011 says more.
 */
class LazyDocument {
  readonly openapi = "3.0.3";
  readonly info = { title: "Not built yet", version: "0.0.0" };
  readonly paths = {};
  readonly #build: () => Readonly<Record<string, unknown>>;

  constructor(build: () => Readonly<Record<string, unknown>>) {
    this.#build = build;
  }

  toJSON(): Readonly<Record<string, unknown>> {
    return this.#build();
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** Their names stay the same from release to release, so browsers ask again after a day. */
const forADay = "public, max-age=86400";

/**
 * The files of Swagger UI. Each is read on its first request and kept in memory. If they were streamed from disk, every
 * reply would hold a file open until its client had read it, and clients that never read would use up the descriptors.
 */
class SwaggerFiles {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #files = new Map<string, Promise<Body>>();

  private constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    this.#names = new Set(names);
  }

  /** Lists the files in the `static` folder of `@fastify/swagger-ui`. */
  static async find(): Promise<SwaggerFiles> {
    const manifest = createRequire(import.meta.url).resolve("@fastify/swagger-ui/package.json");
    const folder = join(dirname(manifest), "static");
    return new SwaggerFiles(folder, await readdir(folder));
  }

  /** Sends a file, or 404. */
  async send(name: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!this.#names.has(name)) {
      sendError(reply, tableReply("ROUTE_NOT_FOUND"));
      return;
    }
    sendBody(request, reply, await this.#file(name), forADay);
  }

  #file(name: string): Promise<Body> {
    let file = this.#files.get(name);
    if (file === undefined) {
      file = this.#read(name);
      this.#files.set(name, file);
      file.catch(() => this.#files.delete(name));
    }
    return file;
  }

  async #read(name: string): Promise<Body> {
    const content = await readFile(join(this.#folder, name));
    return createBody(content, contentTypes[extname(name)] ?? "application/octet-stream");
  }
}

/** Allows the page's own files and requests only. Swagger UI writes `style` attributes, so styles may be inline. */
const swaggerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page around Swagger UI. It is built like the docs page; what depends on the host's options is filled in here. */
class SwaggerPage {
  /** The built page, for the route of its files. */
  readonly files: LazyPage = lazyPage("swagger.html");
  readonly #path: string;
  readonly #docs: boolean;
  readonly #bodies = new Map<string, Promise<Body>>();

  /**
   * @param path - where the page is served
   * @param docs - whether it links to the docs page
   */
  constructor(path: string, docs: boolean) {
    this.#path = path;
    this.#docs = docs;
  }

  /** Sends the page. On its path with a slash, relative URLs mean something else, so the page differs. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const url = request.url.split("?", 1)[0]?.endsWith("/") === true ? `${this.#path}/` : this.#path;
    let body = this.#bodies.get(url);
    if (body === undefined) {
      body = this.#write(url);
      this.#bodies.set(url, body);
      body.catch(() => this.#bodies.delete(url));
    }
    sendBody(request, reply, await body, revalidate);
  }

  async #write(url: string): Promise<Body> {
    const { html } = await this.files();
    const prefix = url === this.#path ? `${url.slice(url.lastIndexOf("/") + 1)}/` : "./";
    const root = "../".repeat(url.split("/").length - 2) || "./";
    return placed(html, { root, prefix, docs: this.#docs });
  }
}

/** The OpenAPI document, which is built on the first request for it with each set of decisions. */
export class ServiceDocument {
  readonly #current: () => Generation;
  readonly #builtOf: (generation: Generation) => Readonly<Record<string, unknown>>;
  /** Whether it can change later: decisions are loaded while the server runs. */
  readonly changes: () => boolean;

  /** @param current - returns the generation in use */
  constructor(
    current: () => Generation,
    build: (generation: Generation) => Readonly<Record<string, unknown>>,
    changes: () => boolean,
  ) {
    this.#current = current;
    this.changes = changes;
    this.#builtOf = oncePerSet(build);
  }

  get(): Readonly<Record<string, unknown>> {
    return this.#builtOf(this.#current());
  }

  /** The route that serves it. */
  at(endpoint: string): Feature {
    const textOf = oncePerSet((generation) => new CachedDocument(() => this.#builtOf(generation)));
    return {
      name: "openapi",
      routes: () => [
        {
          method: "GET",
          path: endpoint,
          answer: ({ headers }) => textOf(this.#current()).replyTo(headers["if-none-match"]),
        },
      ],
    };
  }
}

/** Compresses the document on each of its routes, which are registered afterwards. */
export function compressDocument(app: FastifyInstance, paths: readonly string[]): void {
  app.addHook("onRoute", (route) => {
    // First, because the hook of a `HEAD` route counts the bytes.
    if (paths.includes(route.url)) route.onSend = [compressing(), ...[route.onSend ?? []].flat()];
  });
}

/**
 * Serves Swagger UI.
 *
 * @param docs - whether its page may link to the docs page
 */
export function swaggerRoutes(
  app: FastifyInstance,
  path: string,
  document: ServiceDocument,
  docs: boolean,
): void {
  app.register(async (scope) => {
    const [swagger, swaggerUI, files] = await Promise.all([
      import("@fastify/swagger"),
      import("@fastify/swagger-ui"),
      SwaggerFiles.find(),
    ]);
    const page = new SwaggerPage(path, docs);
    const filesUrl = `${path}/static/*`;
    // Before Swagger UI's own handlers, which would send their page, and stream the files from disk.
    scope.addHook("preHandler", async (request, reply) => {
      const { url } = request.routeOptions;
      if (url === filesUrl) await files.send(fileName(request.params), request, reply);
      else if (url === path || url === `${path}/`) await page.send(request, reply);
      else return undefined;
      return reply;
    });
    assetRoute(scope, path, page.files);
    scope.addHook("onRoute", (route) => {
      // The page and its files reveal nothing about decisions. The document does.
      if (!/\/(json|yaml)$/.test(route.url)) route.config = { ...route.config, ...openPage };
    });
    // A path that leads out of the page's folder does not exist. Every other error goes to the handler of all routes.
    scope.setErrorHandler<{ readonly statusCode?: number }>((error) => {
      throw error.statusCode === 403 ? new DecernError("ROUTE_NOT_FOUND") : error;
    });
    await scope.register(swagger.default, {
      mode: "static",
      specification: { document: new LazyDocument(() => document.get()) },
    });
    await scope.register(swaggerUI.default, {
      routePrefix: path,
      staticCSP: swaggerPolicy,
      // With it, the document is written anew for each request as YAML, too.
      ...(document.changes()
        ? { transformSpecification: unchanged, transformSpecificationClone: false }
        : {}),
    });
  });
}

function unchanged<T>(document: T): T {
  return document;
}

function fileName(params: unknown): string {
  return typeof params === "object" && params !== null && "*" in params ? String(params["*"]) : "";
}
