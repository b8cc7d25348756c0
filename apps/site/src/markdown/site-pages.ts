import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Where the sources of the project are. Both `tree` and `blob` lead to a file or a folder of it. */
export const repository = "https://github.com/decern/decern";

/** A Markdown file of the repository that is a page of the site. */
export interface SitePage {
  /** Relative to the root of the repository. */
  readonly source: string;
  /** Relative to the root of the site, with `.md`. */
  readonly page: string;
  /** Its first heading. */
  readonly title: string;
}

/** Not published, so users have no business with its README. */
const privatePackages = ["pages"];

/** The path of a file's page, or `undefined` where the site does not have it. */
function pageOf(source: string): string | undefined {
  if (source === "README.md") return "index.md";
  if (source === "docs/README.md") return "docs/index.md";
  if (source === "apps/cli/README.md") return "cli.md";
  if (/^docs\/(?:adr\/)?[^/]+\.md$/.test(source)) return source;
  const [, name = ""] = /^packages\/([^/]+)\/README\.md$/.exec(source) ?? [];
  return name === "" || privatePackages.includes(name) ? undefined : `packages/${name}.md`;
}

/** Finds all pages in a checkout. @param root - the root of the repository */
export function sitePages(root: string): readonly SitePage[] {
  const list = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true }).map((entry) => ({
      path: posix.join(folder, entry.name),
      isFolder: entry.isDirectory(),
    }));
  const sources = [
    "README.md",
    "apps/cli/README.md",
    ...[...list("docs"), ...list("docs/adr")].map(({ path }) => path),
    ...list("packages").map(({ path }) => `${path}/README.md`),
  ];
  return sources.flatMap((source): SitePage[] => {
    const page = pageOf(source);
    return page === undefined
      ? []
      : [{ source, page, title: titleOf(readFileSync(join(root, source), "utf8")) }];
  });
}

/** The first heading, without marks. */
function titleOf(text: string): string {
  const [, title = ""] = /^# (.+)$/m.exec(text) ?? [];
  return title.replaceAll("`", "").trim();
}

/** The address of a page in the site, as links have it: `/docs/profiles`. */
export function addressOf({ page }: Pick<SitePage, "page">): string {
  return `/${page.replace(/\.md$/, "").replace(/(?:^|(?<=\/))index$/, "")}`;
}
