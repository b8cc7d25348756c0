import { matchesETag } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";
import { strongETag } from "./etag.js";
import { sendJson } from "./send.js";

/** A JSON document that never changes. It is serialised on the first request. */
export class CachedDocument {
  readonly #build: () => unknown;
  #written: { readonly text: string; readonly etag: string } | undefined;

  constructor(build: () => unknown) {
    this.#build = build;
  }

  /** Sends the document, or 304 if the client already has it. */
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
