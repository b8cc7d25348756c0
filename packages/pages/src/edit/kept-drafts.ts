import type { Draft, DraftRow } from "../draft/draft.js";
import { isObject, listOf, own, textOf } from "../json/values.js";

/** A draft that the browser keeps. */
export interface KeptDraft {
  readonly draft: Draft;
  /** The `contentHash` of the table that it was made of. */
  readonly basedOn: string;
  /** ISO 8601. */
  readonly savedAt: string;
}

/** Whose draft it is. */
interface DraftOf {
  readonly id: string;
  readonly version: string;
}

/** Several services may share an origin, each behind its own prefix. */
function keyOf(id: string, version: string): string {
  return `${prefixOf(id)}${version}`;
}

function prefixOf(id: string): string {
  return `decern draft ${JSON.stringify([new URL(".", location.href).pathname, id])} `;
}

/**
 * The draft of a version; else one of a version that is not served any more, because a newer one has taken its place.
 *
 * @param served - the versions of the decision
 */
export function keptDraft({ id, version }: DraftOf, served: readonly string[]): KeptDraft | undefined {
  try {
    const own = readKept(localStorage.getItem(keyOf(id, version)));
    if (own !== undefined) return own;
    const prefix = prefixOf(id);
    const others = Object.keys(localStorage).filter(
      (key) => key.startsWith(prefix) && !served.includes(key.slice(prefix.length)),
    );
    return others
      .flatMap((key) => readKept(localStorage.getItem(key)) ?? [])
      .toSorted((one, other) => other.savedAt.localeCompare(one.savedAt))[0];
  } catch {
    // The browser forbids it.
    return undefined;
  }
}

/** @returns whether the browser keeps it: it may be full, or forbid it */
export function keepDraft({ id, version }: DraftOf, kept: KeptDraft): boolean {
  try {
    localStorage.setItem(keyOf(id, version), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** Forgets the draft of a version, and those of versions that are not served any more. */
export function dropDrafts({ id, version }: DraftOf, served: readonly string[]): void {
  try {
    const prefix = prefixOf(id);
    for (const key of Object.keys(localStorage)) {
      const of = key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
      if (of !== undefined && (of === version || !served.includes(of))) localStorage.removeItem(key);
    }
  } catch {
    // The browser forbids it, so there is none.
  }
}

/** Whether an event of the browser's storage is about the draft of a version, which another tab has changed or dropped. */
export function isAbout({ key }: StorageEvent, { id, version }: DraftOf): boolean {
  return key === keyOf(id, version);
}

/** Reads what this page wrote, maybe an earlier release of it. */
export function readKept(text: string | null): KeptDraft | undefined {
  if (text === null) return undefined;
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(kept)) return undefined;
  const [basedOn, savedAt, draft] = [textOf(kept, "basedOn"), textOf(kept, "savedAt"), own(kept, "draft")];
  if (basedOn === undefined || savedAt === undefined || !isDraft(draft)) return undefined;
  return { draft, basedOn, savedAt };
}

function isDraft(value: unknown): value is Draft {
  if (!isObject(value)) return false;
  const [head, rows, otherwise] = [own(value, "head"), listOf(value, "rows"), own(value, "otherwise")];
  if (!isObject(head) || rows === undefined) return false;
  const [inputs, outputs] = [listOf(head, "inputs"), listOf(head, "outputs")];
  if (inputs === undefined || outputs === undefined) return false;
  const width = inputs.length + outputs.length + 4;
  const isRow = (row: unknown): row is DraftRow =>
    isObject(row) &&
    typeof own(row, "key") === "number" &&
    listOf(row, "values")?.length === width &&
    listOf(row, "values")?.every((one) => typeof one === "string") === true;
  return (
    ["table", "version", "hitPolicy"].every((name) => textOf(head, name) !== undefined) &&
    [...inputs, ...outputs].every((column) => isObject(column) && textOf(column, "path") !== undefined) &&
    rows.every(isRow) &&
    (otherwise === undefined || isRow(otherwise))
  );
}
