import { posix } from "node:path";
import { addressOf, repository, type SitePage } from "./site-pages.js";

/**
 * Where a link of a page leads in the site: to a page, or to the repository for any other file.
 *
 * @param source - the file that has the link, relative to the root of the repository
 * @param href - as it is written there
 */
export function linkTarget(pages: readonly SitePage[], source: string, href: string): string {
  const ours = `${repository}/blob/main/`;
  const isOurs = href.startsWith(ours);
  if (!isOurs && /^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(href)) return href;
  const [path = "", anchor] = (isOurs ? href.slice(ours.length) : href).split("#");
  const file = decodeURIComponent(posix.join(isOurs ? "" : posix.dirname(source), path)).replace(/\/$/, "");
  const fragment = anchor === undefined ? "" : `#${anchor}`;
  const page = pageAt(pages, file);
  if (page !== undefined) return `${addressOf(page)}${fragment}`;
  const kind = posix.extname(file) === "" ? "tree" : "blob";
  return `${repository}/${kind}/main/${encodeURI(file)}${fragment}`;
}

/** A folder leads to its README, or else to its first page. */
function pageAt(pages: readonly SitePage[], file: string): SitePage | undefined {
  const isNamed = ({ source }: SitePage) => source === file || source === `${file}/README.md`;
  return pages.find(isNamed) ?? pages.find(({ source }) => source.startsWith(`${file}/`));
}
