import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { tableReply } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Body, createBody } from "../docs/encoded-body.js";
import { sendBody } from "../docs/send-body.js";
import { sendError } from "../replies/send.js";

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
export class SwaggerFiles {
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
