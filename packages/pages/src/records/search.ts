/** What the text in the search box is. `any` tries each kind that it may be. */
export type TextKind = "any" | "record" | "request" | "person";

/** What to look for, as the form has it. Empty text isn't a condition. */
export interface Search {
  readonly text: string;
  readonly kind: TextKind;
  /** First and last day, such as `2026-03-03`, or minute, such as `2026-03-03T14:05`, in UTC. */
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

/** What the address selects: one record, or a search. */
type RecordsRoute =
  | { readonly record: string; readonly search?: undefined }
  | { readonly record?: undefined; readonly search: Search };

const kinds: readonly TextKind[] = ["record", "request", "person"];

/** The address of one record. It has nothing of the search that found it, which may name a person. */
export function toRecordFragment(recordId: string): string {
  return `#/${encodeURIComponent(recordId)}`;
}

/** The address of a search. It is a fragment, which browsers never send. */
export function toSearchFragment(search: Search): string {
  const query = new URLSearchParams();
  if (search.text !== "") query.set("q", search.text);
  if (search.text !== "" && search.kind !== "any") query.set("as", search.kind);
  for (const name of filterNames) if (search[name] !== "") query.set(name, search[name]);
  return query.size === 0 ? "#/" : `#/?${query}`;
}

/** Reads a fragment. What makes no sense in it is left out. */
export function fromRecordsFragment(fragment: string): RecordsRoute {
  const [path = "", ...rest] = fragment.split("?");
  const record = decodeSegment(path.replace(/^#\/?/, "").replace(/\/+$/, ""));
  if (record !== "") return { record };
  const query = new URLSearchParams(rest.join("?"));
  const asked = query.get("as");
  const conditions = filterNames.map((name) => {
    const value = query.get(name)?.trim() ?? "";
    return [name, (name === "from" || name === "to") && !isTime(value) ? "" : value];
  });
  return {
    search: {
      ...everything,
      ...Object.fromEntries(conditions),
      text: query.get("q")?.trim() ?? "",
      kind: kinds.find((kind) => kind === asked) ?? "any",
    },
  };
}

/** Whether a text is a day, or a minute of one. */
export function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/.test(text);
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
