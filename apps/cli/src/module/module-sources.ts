import { readFile, stat } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";

const localImport = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
const extensions = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"];
const mostFiles = 200;
/** Larger ones are generated. */
const mostBytes = 1_000_000;

/** The text of a module and of the files that it imports by a relative path, in the order of the imports. */
export async function moduleSources(path: string): Promise<readonly string[]> {
  const texts: string[] = [];
  const files = new Set([path]);
  // A set that grows while it is read is read to its end.
  for (const file of files) {
    const text = await sourceText(file);
    if (text === undefined) continue;
    texts.push(text);
    for (const [, specifier = ""] of text.matchAll(localImport)) {
      const imported = await importedFile(resolve(dirname(file), specifier));
      if (imported !== undefined && files.size < mostFiles) files.add(imported);
    }
  }
  return texts;
}

async function sourceText(file: string): Promise<string | undefined> {
  if (!extensions.includes(extname(file))) return undefined;
  const stats = await stat(file).catch(() => undefined);
  return stats === undefined || stats.size > mostBytes ? undefined : await readFile(file, "utf8");
}

/** TypeScript is imported by the name that it is compiled to, or without an extension. */
async function importedFile(path: string): Promise<string | undefined> {
  const { length } = extname(path);
  const written = extensions.includes(extname(path)) ? path.slice(0, -length) : path;
  const candidates = [path, ...extensions.flatMap((end) => [written + end, `${path}/index${end}`])];
  for (const file of candidates) {
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() === true) return file;
  }
  return undefined;
}
