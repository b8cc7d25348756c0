/** W3C Trace Context: version, trace id, parent id and flags. Version `ff` is invalid, and only versions after `00` may say more. */
const pattern =
  /^(?!ff|00-.{53})[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-[!-~]{1,200})?$/;

/** Whether a value is a `traceparent` of W3C Trace Context. */
export function isTraceparent(value: unknown): value is string {
  return typeof value === "string" && pattern.test(value);
}
