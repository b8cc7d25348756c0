/**
 * Escapes text for a `description`, which is CommonMark and may contain HTML. Tags and entities then appear as written.
 */
export function plainText(text: string): string {
  return text.replaceAll(/&(?=#?[A-Za-z0-9]+;)/g, "&amp;").replaceAll("<", "&lt;");
}
