import { DecernError } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { openPage } from "../requests/route-config.js";
import { type DocsFiles, type PageName, readDocsFiles } from "./docs-files.js";
import { DOCS_HEADERS } from "./docs-headers.js";
import { revalidate, sendBody } from "./send-body.js";

/** File names carry a hash of their content. */
const forever = "public, max-age=31536000, immutable";

/** A built page, which is read when it is first asked for. */
export type LazyPage = () => Promise<DocsFiles>;

export function lazyPage(name: PageName): LazyPage {
  let files: Promise<DocsFiles> | undefined;
  return () => {
    files ??= readDocsFiles(name).catch((error: unknown) => {
      files = undefined;
      throw error;
    });
    return files;
  };
}

/**
 * Serves a built page at `path`, and its files under `path`. They reveal nothing about decisions, so they are open. All URLs
 * are relative, so the page works behind any prefix.
 *
 * @param path - one segment, such as `/docs`
 */
export function pageRoutes(app: FastifyInstance, path: `/${string}`, name: PageName): void {
  const page = lazyPage(name);
  app.get(path, { config: openPage }, async (request, reply) =>
    sendBody(request, reply, (await page()).html, revalidate),
  );
  // The page's relative URLs only work on the path without the slash.
  app.get(`${path}/`, { config: openPage }, async (_request, reply) =>
    reply.headers(DOCS_HEADERS).redirect(`..${path}`, 308),
  );
  assetRoute(app, path, page);
}

/** Serves the files of a page under `path`. */
export function assetRoute(app: FastifyInstance, path: string, page: LazyPage): void {
  app.get<{ Params: { name: string } }>(
    `${path}/assets/:name`,
    { config: openPage },
    async (request, reply) => {
      const asset = (await page()).assets.get(request.params.name);
      if (asset === undefined) throw new DecernError("ROUTE_NOT_FOUND");
      return sendBody(request, reply, asset, forever);
    },
  );
}
