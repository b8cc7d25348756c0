import type { DocsDecision } from "../model/data.js";
import type { SharedCall } from "../model/share-link.js";

/** What the call in the form is compared with: a pinned run, or the same call under another version or profile. */
export type Rival =
  | { readonly kind: "pinned" }
  | { readonly kind: "version"; readonly version: string }
  /** Without a name, the default profile. */
  | { readonly kind: "profile"; readonly name: string | undefined };

/** What can be chosen, each with its label. The keys are for a menu. */
export function rivalsOf(
  { version, versions, namedProfiles }: Pick<DocsDecision, "version" | "versions" | "namedProfiles">,
  hasPinned: boolean,
): ReadonlyMap<string, { readonly label: string; readonly rival: Rival }> {
  const rivals = new Map<string, { readonly label: string; readonly rival: Rival }>();
  if (hasPinned) rivals.set("pinned", { label: "The pinned outcome", rival: { kind: "pinned" } });
  for (const other of versions) {
    if (other.version === version) continue;
    const rival = { kind: "version", version: other.version } as const;
    rivals.set(`version ${other.version}`, { label: `Version ${other.version}`, rival });
  }
  if (namedProfiles.length > 0)
    rivals.set("default", { label: "Default profile", rival: { kind: "profile", name: undefined } });
  for (const { name } of namedProfiles) {
    rivals.set(`profile ${name}`, { label: `Profile ${name}`, rival: { kind: "profile", name } });
  }
  return rivals;
}

/** The same call for a rival. Another profile of the host replaces the caller's own. */
export function callFor(rival: Rival, call: SharedCall): SharedCall {
  if (rival.kind !== "profile") return call;
  return rival.name === undefined ? { input: call.input } : { input: call.input, profileName: rival.name };
}
