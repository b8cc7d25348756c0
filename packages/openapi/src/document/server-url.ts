/**
 * The server's root, relative to a document. From `/openapi.json`, one `..` too many still means the root.
 *
 * @param documentPath - where the document is read
 */
export function serverUrl(documentPath: string | undefined): string {
  if (documentPath === undefined) return "/";
  const depth = documentPath.split("/").length - 2;
  return depth <= 0 ? "." : Array.from({ length: depth }, () => "..").join("/");
}
