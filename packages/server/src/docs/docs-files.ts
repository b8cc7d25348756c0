import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DecernError } from "@decern/core";
import { type Body, createBody } from "./encoded-body.js";

// src/docs and dist/docs have the same depth, so this works in the sources and in the built package.
const builtPage = fileURLToPath(new URL("../../dist/page/", import.meta.url));

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** The HTML files of the pages. They share their assets. */
export type PageName = "index.html" | "records.html" | "swagger.html";

/** A built page: its HTML, and its assets by file name. */
export interface DocsFiles {
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
