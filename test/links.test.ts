import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Package READMEs link to pages that npm doesn't publish by their address in the repository. */
const repository = "https://github.com/decern/decern/blob/main/";

const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && existsSync(`${root}/${path}`));

function withoutCodeBlocks(text: string): string {
  return text.replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1 *$/gm, "");
}

/** The targets of all links and images that lead into this repository. */
function linksIn(text: string): readonly string[] {
  const prose = withoutCodeBlocks(text).replaceAll(/`[^`\n]*`/g, "code");
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => target.startsWith(repository) || !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

/** The anchors that GitHub generates for the headings of a page. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCodeBlocks(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const shown = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = shown.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** What is wrong with a link of a page, or `undefined`. */
function problemOf(page: string, link: string, read: (path: string) => string): string | undefined {
  const [target = "", anchor] = (link.startsWith(repository) ? link.slice(repository.length) : link).split(
    "#",
  );
  const base = link.startsWith(repository) ? "" : posix.dirname(page);
  const path = target === "" ? page : posix.join(base, decodeURIComponent(target));
  if (path.startsWith("..") || !existsSync(`${root}/${path}`)) return `${link}: there is no ${path}`;
  if (anchor === undefined || !path.endsWith(".md") || statSync(`${root}/${path}`).isDirectory()) return;
  if (!anchorsOf(read(path)).has(decodeURIComponent(anchor))) return `${link}: ${path} has no #${anchor}`;
  return;
}

const readPage = (path: string): string => readFileSync(`${root}/${path}`, "utf8");

describe("links within the repository", () => {
  it("are found", () => {
    expect(pages).toContain("README.md");
    expect(pages.flatMap((page) => linksIn(readPage(page))).length).toBeGreaterThan(150);
  });

  it.each(pages)("of %s lead to a file and a heading that exist", (page) => {
    const problems = linksIn(readPage(page)).map((link) => problemOf(page, link, readPage));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });
});

describe("the check itself", () => {
  const page = [
    "# A page: of `code`, [linked](./x.md) & more",
    "## Twice",
    "## Twice",
    "```md",
    "# Not a heading",
    "[not a link](gone.md)",
    "```",
    "[a file](../README.md), `[code](gone.md)`, [another site](https://example.org/gone.md)",
    `![an image](images/x.png "title") and [by address](${repository}README.md)`,
  ].join("\n");

  it("reads links as Markdown does", () => {
    expect(linksIn(page)).toEqual(["./x.md", "../README.md", "images/x.png", `${repository}README.md`]);
  });

  it("names headings as GitHub does", () => {
    expect([...anchorsOf(page)]).toEqual(["a-page-of-code-linked--more", "twice", "twice-1"]);
  });

  it("reports missing files and headings", () => {
    const check = (link: string) => problemOf("docs/profiles.md", link, () => page);
    expect(
      ["hooks.md", "./hooks.md#twice-1", "#twice", "../README.md", `${repository}docs`].map(check),
    ).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(check("gone.md")).toContain("there is no docs/gone.md");
    expect(check("../../README.md")).toContain("there is no ../README.md");
    expect(check("hooks.md#thrice")).toContain("docs/hooks.md has no #thrice");
    expect(check("#thrice")).toContain("docs/profiles.md has no #thrice");
    expect(check(`${repository}docs/gone.md`)).toContain("there is no docs/gone.md");
  });
});
