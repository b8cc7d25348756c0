import { refTo } from "./definitions.js";
import type { Place } from "./place.js";
import type { Reading } from "./reading.js";

/** Reads a `$ref`, and returns the reference to the same definition at the root. */
export function readReference(ref: unknown, path: string, place: Place, reading: Reading): string {
  const { definitions } = reading;
  const to = typeof ref === "string" ? definitions.resolve(ref, place.scope, place.resource) : undefined;
  if (typeof ref !== "string" || to === undefined) {
    reading.report(path, `refers to ${JSON.stringify(ref)}, which ${whereDefined(ref)}; use Type.Cyclic`);
    return "";
  }
  if (!ref.startsWith("#") && /[#/?%:\\]/.test(ref)) {
    reading.report(path, `refers to ${JSON.stringify(ref)}; a name must not contain # / ? % : \\`);
  }
  const { definition, here, test } = place;
  definitions.link({ from: definition, to, here, test });
  return refTo(to);
}

function whereDefined(ref: unknown): string {
  const pointer = typeof ref === "string" && ref.startsWith("#/");
  return pointer
    ? "is not a definition of the root or of the nearest enclosing $id"
    : "is not the $id of an enclosing definition";
}
