import type { FastifyReply, FastifyRequest } from "fastify";
import { type Body, createBody } from "../docs/encoded-body.js";
import { type LazyPage, lazyPage } from "../docs/page-routes.js";
import { revalidate, sendBody } from "../docs/send-body.js";

/** Allows the page's own files and requests only. Swagger UI writes `style` attributes, so styles may be inline. */
export const swaggerPolicy = [
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
export class SwaggerPage {
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
    const text = html.plain.content
      .toString()
      .replaceAll('="swagger/', `="${prefix}`)
      .replace('data-root="./"', `data-root="${root}"${this.#docs ? " data-docs" : ""}`);
    return createBody(text, html.contentType);
  }
}
