import { everything, filterNames, type Search, type TextKind } from "./search.js";

/** What the address selects: one record, or a search. */
export type RecordsRoute =
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
    return [name, isDay(name) && !/^\d{4}-\d{2}-\d{2}$/.test(value) ? "" : value];
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

function isDay(name: string): boolean {
  return name === "from" || name === "to";
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
