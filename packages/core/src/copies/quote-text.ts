/** What stands in JSON as it is. */
const plainText = /^[^"\\\p{Surrogate}\p{Cc}]*$/u;

/**
 * Writes a text as canonical JSON.
 *
 * @returns `undefined` for a lone surrogate, which has no UTF-8 form
 */
export function quoteText(text: string): string | undefined {
  if (plainText.test(text)) return `"${text}"`;
  return /\p{Surrogate}/u.test(text) ? undefined : JSON.stringify(text);
}
