import { hash } from "node:crypto";
import { canonicalForm } from "@decern/core/tools";

/** The hash of a profile, as records have it. */
export function profileHash(profile: unknown): string {
  return `sha256:${hash("sha256", canonicalForm(profile) ?? "null")}`;
}
