import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfigWithTheme } from "vitepress";
import { anchorOf } from "../src/markdown/anchors.js";
import { addRules } from "../src/markdown/markdown-rules.js";
import { withPolicy } from "../src/markdown/policy.js";
import { preparePages } from "../src/markdown/prepare.js";
import { sidebarOf } from "../src/markdown/sidebar.js";
import { repository, sitePages } from "../src/markdown/site-pages.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const prepared = join(root, "apps/site/dist/pages");

/** Where the site is served, with slashes around it. An earlier version has a folder of its own in it. */
const base = process.env["SITE_BASE"] ?? "/";
/** Where the newest version is served, which knows the others. */
const newest = process.env["SITE_NEWEST"] ?? base;
const { version } = JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8"));

const pages = sitePages(root);
preparePages(root, prepared, pages, version);

/** For the menu of versions. */
interface ThemeConfig extends DefaultTheme.Config {
  readonly version: string;
  readonly newest: string;
}

export default defineConfigWithTheme<ThemeConfig>({
  title: "Decern",
  description: "Business decisions in TypeScript: typed, versioned, explained",
  lang: "en",
  base,
  srcDir: prepared,
  outDir: join(root, "apps/site/dist/site"),
  cacheDir: join(root, "apps/site/node_modules/.cache/vitepress"),
  cleanUrls: true,
  // Otherwise, each page would have a script of its own in it.
  metaChunk: true,
  ignoreDeadLinks: [/^\/playground\//, /^http:\/\/localhost\b/],
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}favicon.svg` }]],
  markdown: {
    anchor: { slugify: anchorOf },
    config: (markdown) => addRules(markdown, { pages, base }),
  },
  themeConfig: {
    nav: [
      { text: "Documentation", link: "/docs/" },
      { text: "Playground", link: `${base}playground/`, target: "_self", noIcon: true },
    ],
    sidebar: sidebarOf(pages, readFileSync(join(root, "docs/README.md"), "utf8")).map(
      ({ text, collapsed, items }) => ({
        text,
        ...(collapsed === undefined ? {} : { collapsed }),
        items: items.map((item) => ({ ...item })),
      }),
    ),
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: repository }],
    editLink: {
      pattern: ({ frontmatter }) => `https://github.com/decern/decern/edit/main/${frontmatter["source"]}`,
      text: "Edit this page",
    },
    version,
    newest,
  },
  transformPageData: ({ relativePath, frontmatter }) => {
    const source = pages.find(({ page }) => page === relativePath)?.source;
    return { frontmatter: { ...frontmatter, source } };
  },
  transformHtml: withPolicy,
});
