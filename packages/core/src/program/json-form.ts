/**
 * Whether JSON carries a value, rather than leaving out the property that holds it. An object may still say so itself, in
 * a `toJSON` that answers nothing; the text of the envelope shows that.
 */
export function hasJsonForm(value: unknown): boolean {
  switch (typeof value) {
    case "undefined":
    case "symbol":
      return false;
    case "function":
      return JSON.stringify(value) !== undefined;
    default:
      return true;
  }
}
