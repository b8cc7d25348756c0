/** What the text in the search box is. `any` tries each kind that it may be. */
export type TextKind = "any" | "record" | "request" | "person";

/** What to look for, as the form has it. Empty text is no condition. */
export interface Search {
  readonly text: string;
  readonly kind: TextKind;
  /** First and last day, such as `2026-03-03`, in UTC. */
  readonly from: string;
  readonly to: string;
  readonly decision: string;
  readonly version: string;
  readonly status: string;
  readonly rule: string;
  readonly caller: string;
}

export const everything: Search = {
  text: "",
  kind: "any",
  from: "",
  to: "",
  decision: "",
  version: "",
  status: "",
  rule: "",
  caller: "",
};

/** The conditions apart from the search box. */
export const filterNames = ["from", "to", "decision", "version", "status", "rule", "caller"] as const;

export function filterCount(search: Search): number {
  return filterNames.filter((name) => search[name] !== "").length;
}

export const statuses = ["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE", "ERROR"] as const;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** What a text may be, the likeliest first. Record ids are UUIDs of version 7; requests and persons may have any id. */
export function kindsOf({ text, kind }: Pick<Search, "text" | "kind">): readonly Exclude<TextKind, "any">[] {
  if (text === "") return [];
  if (kind !== "any") return [kind];
  return uuid.exec(text)?.[1] === "7" ? ["record", "request", "person"] : ["request", "person"];
}
