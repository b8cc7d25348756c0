import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DecernError } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { openPage } from "../request/routing.js";
import { type Body, createBody, DOCS_HEADERS, revalidate, sendBody } from "./page-body.js";

// src/docs and dist/docs have the same depth, so this works in the sources and in the built package.
const builtPage = fileURLToPath(new URL("../../dist/page/", import.meta.url));

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** The HTML files of the pages. They share their assets. */
type PageName = "index.html" | "records.html" | "swagger.html";

/** A built page: its HTML, and its assets by file name. */
interface DocsFiles {
  readonly html: Body;
  readonly assets: ReadonlyMap<string, Body>;
}

/**
 * Reads a built page.
 *
 * @param directory - where the build put it
 * @throws DecernError `INTERNAL_ERROR` if it was not built, which only happens in a fresh checkout
 */
export async function readDocsFiles(
  page: PageName = "index.html",
  directory: string = builtPage,
): Promise<DocsFiles> {
  try {
    const html = await readBody(join(directory, page));
    const names = await readdir(join(directory, "assets"));
    const entries = names.map(
      async (name) => [name, await readBody(join(directory, "assets", name))] as const,
    );
    return { html, assets: new Map(await Promise.all(entries)) };
  } catch (cause) {
    throw new DecernError("INTERNAL_ERROR", {
      detail: "the page is not built; run the build of @decern/server first",
      cause,
    });
  }
}

async function readBody(path: string): Promise<Body> {
  return createBody(await readFile(path), contentTypes[extname(path)] ?? "application/octet-stream");
}

/** File names carry a hash of their content. */
const forever = "public, max-age=31536000, immutable";

/** A built page, which is read when it is first asked for. */
export type LazyPage = () => Promise<DocsFiles>;

export function lazyPage(name: PageName, place?: Place): LazyPage {
  let files: Promise<DocsFiles> | undefined;
  const read = async (): Promise<DocsFiles> => {
    const { html, assets } = await readDocsFiles(name);
    return place === undefined ? { html, assets } : { html: placed(html, place), assets };
  };
  return () => {
    files ??= read().catch((error: unknown) => {
      files = undefined;
      throw error;
    });
    return files;
  };
}

/** Where a page is, which the server writes into its HTML. */
interface Place {
  /** Where the service is, relative to the page. */
  readonly root: string;
  /** Whether the service has a docs page. */
  readonly docs: boolean;
  /** Of the page's files. @default as built */
  readonly prefix?: string;
}

/** The HTML of a page that knows its place. */
export function placed({ plain, contentType }: Body, { root, docs, prefix = "swagger/" }: Place): Body {
  const text = plain.content
    .toString()
    .replaceAll('="swagger/', `="${prefix}`)
    .replace('data-root="./"', `data-root="${root}"${docs ? " data-docs" : ""}`);
  return createBody(text, contentType);
}

/**
 * Serves a built page at `path`, and its files under `path`. They reveal nothing about decisions, so they are open. All URLs
 * are relative, so the page works behind any prefix.
 *
 * @param path - one segment, such as `/docs`
 * @param place - for a page that links to others before it has loaded anything
 */
export function pageRoutes(app: FastifyInstance, path: `/${string}`, name: PageName, place?: Place): void {
  const page = lazyPage(name, place);
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
