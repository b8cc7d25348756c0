/** How many decisions there are, and how many of them a search found. */
export function countText(found: number, all: number): string {
  if (found < all) return `${found} of ${all} decisions`;
  return all === 1 ? "1 decision" : `${all} decisions`;
}
