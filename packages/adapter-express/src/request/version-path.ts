import type { Request } from "express";

/**
 * Matches the paths of one decision's versions. Not `:version`: Express decodes that, and gives the host's error handling what
 * is not valid percent-encoding.
 *
 * @param path - the decision's own
 */
export function versionPath(path: string): RegExp {
  // Paths of decisions consist of unreserved characters, of which only the dot has a meaning here.
  return new RegExp(`^${path.replaceAll(".", "\\.")}/versions/[^/]+$`);
}

/** The version in such a path; `undefined` when it is not valid percent-encoding. */
export function versionIn({ path }: Pick<Request, "path">): string | undefined {
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
  } catch {
    return undefined;
  }
}
