import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Serves a folder as hosts of static sites do: `/docs/profiles` is `docs/profiles.html`, and what is missing `404.html`. */
export function serveFolder(folder: string): Server {
  const read = async (
    path: string,
  ): Promise<{ readonly name: string; readonly body: Buffer } | undefined> => {
    for (const name of path.endsWith("/") ? [`${path}index.html`] : [path, `${path}.html`]) {
      const body = await readFile(join(folder, name)).catch(() => undefined);
      if (body !== undefined) return { name, body };
    }
    return undefined;
  };
  return createServer(async ({ url = "/" }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, "http://localhost").pathname));
    const found = await read(path);
    const { name, body } = found ?? { name: "404.html", body: await readFile(join(folder, "404.html")) };
    response.writeHead(found === undefined ? 404 : 200, {
      "content-type": types[extname(name)] ?? "text/plain",
      "content-encoding": "gzip",
    });
    response.end(gzipSync(body));
  });
}
