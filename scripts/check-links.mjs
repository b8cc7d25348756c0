// Checks that links between files of this repository lead to a file and a heading that exist. `pnpm run lint` runs it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
/** Package READMEs link to pages that npm doesn't publish by their address in the repository. */
const repository = "https://github.com/decern/decern/blob/main/";

const pages = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*.md", "deploy/*"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((path) => path !== "" && existsSync(root + path));

function withoutCodeBlocks(text) {
  return text.replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1 *$/gm, "");
}

/** The targets of all links and images that lead into this repository; of other files than Markdown, all its addresses. */
function linksIn(page, text) {
  if (!page.endsWith(".md"))
    return text.match(/https:\/\/github\.com\/decern\/decern\/blob\/main\/[^\s"'<>)]+/g) ?? [];
  const prose = withoutCodeBlocks(text).replaceAll(/`[^`\n]*`/g, "code");
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)]
    .map(([, target]) => target)
    .filter((target) => target.startsWith(repository) || !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

/** The anchors that GitHub generates for the headings of a page. */
function anchorsOf(text) {
  const anchors = new Set();
  for (const [, heading] of withoutCodeBlocks(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const shown = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = shown.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** What is wrong with a link of a page, or `undefined`. */
function problemOf(page, link) {
  const isAddress = link.startsWith(repository);
  const [target, anchor] = (isAddress ? link.slice(repository.length) : link).split("#");
  const path =
    target === "" ? page : posix.join(isAddress ? "" : posix.dirname(page), decodeURIComponent(target));
  if (path.startsWith("..") || !existsSync(root + path)) return `there is no ${path}`;
  if (anchor === undefined || !path.endsWith(".md")) return undefined;
  const anchors = anchorsOf(readFileSync(root + path, "utf8"));
  return anchors.has(decodeURIComponent(anchor)) ? undefined : `${path} has no #${anchor}`;
}

for (const page of pages) {
  for (const link of linksIn(page, readFileSync(root + page, "utf8"))) {
    const problem = problemOf(page, link);
    if (problem === undefined) continue;
    console.error(`${page}: ${link}: ${problem}`);
    process.exitCode = 1;
  }
}
