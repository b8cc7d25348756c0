import { linkTarget } from "./link-target.js";
import { addressOf, type SitePage } from "./site-pages.js";

/** A heading of the sidebar, and what is below it. */
interface SidebarGroup {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/**
 * The sidebar: what the index of the documentation has, in its order, and then the packages and the decision records.
 *
 * @param index - the text of `docs/README.md`
 */
export function sidebarOf(pages: readonly SitePage[], index: string): readonly SidebarGroup[] {
  const byAddress = new Map(pages.map((page) => [addressOf(page), page]));
  const [, ...sections] = index.split(/^## /m);
  const groups = sections.map((section): SidebarGroup => {
    const [heading = ""] = section.split("\n", 1);
    const links = [...section.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) =>
      linkTarget(pages, "docs/README.md", href),
    );
    const items = links.flatMap((link) => {
      const page = byAddress.get(link);
      return page === undefined || !page.source.startsWith("docs/") || isRecord(page) ? [] : [itemOf(page)];
    });
    return { text: heading.trim(), items };
  });
  return [
    ...groups.filter(({ items }) => items.length > 0),
    { text: "Packages", collapsed: true, items: pages.filter(isPackage).map(itemOf) },
    { text: "Why it is built this way", collapsed: true, items: pages.filter(isRecord).map(itemOf) },
  ];
}

function itemOf(page: SitePage) {
  return { text: page.title, link: addressOf(page) };
}

function isRecord({ source }: SitePage): boolean {
  return source.startsWith("docs/adr/");
}

function isPackage({ source }: SitePage): boolean {
  return /^(?:packages|apps)\//.test(source);
}
