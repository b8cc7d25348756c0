import type { FastifyReply, FastifyRequest } from "fastify";
import { matchesETag, strongETag } from "./etag.js";
import { sendJson } from "./send.js";

/** A JSON document that never changes, written when it is first asked for. */
export class CachedDocument {
  readonly #build: () => unknown;
  #written: { readonly text: string; readonly etag: string } | undefined;

  constructor(build: () => unknown) {
    this.#build = build;
  }

  /** Answers with the document, or with 304 to who has it already. */
  send(request: FastifyRequest, reply: FastifyReply): void {
    const { text, etag } = this.#write();
    reply.header("etag", etag).header("cache-control", "no-cache");
    if (matchesETag(request.headers["if-none-match"], etag)) reply.code(304).send();
    else sendJson(reply, 200, text);
  }

  #write(): { readonly text: string; readonly etag: string } {
    if (this.#written === undefined) {
      const text = JSON.stringify(this.#build());
      this.#written = { text, etag: strongETag(text) };
    }
    return this.#written;
  }
}
