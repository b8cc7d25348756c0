/**
 * Writes text for a `description`, which is CommonMark and may hold HTML: what looks like a tag or an entity is shown as
 * it was written.
 */
export function plainText(text: string): string {
  return text.replaceAll(/&(?=#?[A-Za-z0-9]+;)/g, "&amp;").replaceAll("<", "&lt;");
}
