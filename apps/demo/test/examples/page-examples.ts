import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of the repository. */
export const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** One block of TypeScript in a page. */
export interface Example {
  /** The page, relative to the root. */
  readonly page: string;
  /** Line of the fence. */
  readonly line: number;
  /** The file name, if the fence has a title. Other blocks of the page may import it. */
  readonly title: string | undefined;
  readonly code: string;
}

/** Every page that shows code: READMEs and guides. */
export function pages(): readonly string[] {
  const packages = readdirSync(resolve(root, "packages")).map((name) => `packages/${name}/README.md`);
  const guides = readdirSync(resolve(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  return ["README.md", "apps/cli/README.md", ...packages, ...guides.sort()];
}

/** The TypeScript files of `docs/examples`, which guides link to. */
export function exampleFiles(): readonly Example[] {
  const folder = "docs/examples";
  return readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({
      page: `${folder}/${dirname(name)}`,
      line: 1,
      title: basename(name),
      code: readFileSync(resolve(root, folder, name), "utf8"),
    }));
}

/** The TypeScript blocks of a page, in order. */
export function examplesOf(page: string): readonly Example[] {
  const text = readFileSync(resolve(root, page), "utf8");
  return [...text.matchAll(/^```(?:ts|typescript)(?: title="([^"]+)")?\n(.*?)^```$/gms)].map((match) => ({
    page: relative(root, resolve(root, page)),
    line: text.slice(0, match.index).split("\n").length,
    title: match[1],
    code: match[2] ?? "",
  }));
}
