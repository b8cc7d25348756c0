import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfigWithTheme } from "vitepress";
import { anchorOf } from "../src/markdown/anchors.js";
import { addRules } from "../src/markdown/markdown-rules.js";
import { withPolicy } from "../src/markdown/policy.js";
import { preparePages } from "../src/markdown/prepare.js";
import { sidebarsOf } from "../src/markdown/sidebar.js";
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
    // Their contrast is that which WCAG asks for.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => addRules(markdown, { pages, base }),
  },
  themeConfig: {
    nav: [
      { text: "Documentation", link: "/docs/" },
      { text: "Playground", link: `${base}playground/`, target: "_self", noIcon: true },
    ],
    sidebar: Object.fromEntries(
      Object.entries(sidebarsOf(pages, readFileSync(join(root, "docs/README.md"), "utf8"))).map(
        ([path, groups]) => [path, groups.map(({ text, items }) => ({ text, items: [...items] }))],
      ),
    ),
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: repository }],
    // No function: the policy of the pages forbids what a page would make one from.
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" },
    notFound: {
      title: "There is no such page",
      quote: "It may have moved: search for it.",
      linkLabel: "Start",
      linkText: "Start",
    },
    version,
    newest,
  },
  transformPageData: ({ relativePath }) => {
    const source = pages.find(({ page }) => page === relativePath)?.source;
    return source === undefined ? {} : { filePath: source };
  },
  transformHtml: withPolicy,
});
