import { linkTarget } from "./link-target.js";
import { addressOf, type SitePage } from "./site-pages.js";

/** A heading of the sidebar, and what is below it. */
interface SidebarGroup {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/**
 * The sidebars, by the address below which they stand: the decision records have one of their own, because only maintainers read
 * them. The other has what the index of the documentation has, in its order, and then the packages.
 *
 * @param index - the text of `docs/README.md`
 */
export function sidebarsOf(
  pages: readonly SitePage[],
  index: string,
): Readonly<Record<"/" | "/docs/adr/", readonly SidebarGroup[]>> {
  const byAddress = new Map(pages.map((page) => [addressOf(page), page]));
  const [, ...sections] = index.split(/^## /m);
  const groups = sections.map((section): SidebarGroup => {
    const [heading = ""] = section.split("\n", 1);
    const links = [...section.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) =>
      linkTarget(pages, "docs/README.md", href),
    );
    const items = links.flatMap((link) => {
      const page = byAddress.get(link);
      if (page === undefined || !page.source.startsWith("docs/")) return [];
      return [isRecord(page) ? { ...itemOf(page), text: recordsTitle } : itemOf(page)];
    });
    return { text: heading.trim(), items };
  });
  return {
    "/": [...groups, { text: "Packages", items: pages.filter(isPackage).map(itemOf) }],
    "/docs/adr/": [{ text: recordsTitle, items: pages.filter(isRecord).map(itemOf) }],
  };
}

const recordsTitle = "Why it is built this way";

function itemOf(page: SitePage) {
  return { text: page.title, link: addressOf(page) };
}

function isRecord({ source }: SitePage): boolean {
  return source.startsWith("docs/adr/");
}

function isPackage({ source }: SitePage): boolean {
  return /^(?:packages|apps)\//.test(source);
}
