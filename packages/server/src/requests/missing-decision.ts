import { type ErrorReply, tableReply } from "@decern/core/host";
import type { Catalogue } from "@decern/core/tools";

/** The parameters of a route. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/**
 * Finds out why a path names no decision, or no version of one.
 *
 * @returns `undefined` where it does; an empty id or version is not a valid one, so its path does not exist
 */
export function missingDecision(catalogue: Catalogue, { id, version }: PathParams): ErrorReply | undefined {
  if (id === undefined || id === "" || version === "") return tableReply("ROUTE_NOT_FOUND");
  const hosted = catalogue.get(id);
  if (hosted === undefined) return tableReply("DECISION_NOT_FOUND", id);
  if (version === undefined || hosted.versions.has(version)) return undefined;
  return tableReply(hosted.retired.has(version) ? "VERSION_RETIRED" : "VERSION_NOT_FOUND", version);
}
