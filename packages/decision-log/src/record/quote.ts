/** What stands in JSON as it is, in plain ASCII. */
const plain = /^[ !#-[\]-~]*$/;

/** Writes a text as canonical JSON. Half a character (a lone surrogate), which has no UTF-8 form, becomes U+FFFD. */
export function quote(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(wellFormed(text));
}

/** Replaces lone surrogates by U+FFFD. */
export function wellFormed(text: string): string {
  return isWellFormed(text) ? text : text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

/** Whether a text has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
