import {
  isObject,
  type JsonObject,
  listOf,
  own,
  type Path,
  pointerTokens,
  textOf,
  toPointer,
  withProperty,
} from "../json/values.js";

/** The evaluations of other decisions that the rules of one evaluation made. */
export interface Trace {
  readonly used: readonly Used[];
  /** What the parts of a model came to, by namespace and id. Absent for other decisions. */
  readonly parts?: JsonObject;
  /** Whether the service left out the rest of it, because it was too long. */
  readonly truncated: boolean;
}

/** One evaluation of another decision. */
export interface Used {
  readonly id: string;
  readonly version: string;
  /** Present in records. */
  readonly profileHash?: string;
  /** Absent in records: the input of the decision that used it leads to it. */
  readonly input?: unknown;
  readonly envelope: unknown;
  readonly used: readonly Used[];
}

/** A reply to a call that asked for the trace: the envelope apart from the trace. An error has no trace. */
export function withTrace(body: unknown): { readonly body: unknown; readonly trace?: Trace } {
  if (!isObject(body) || !Object.hasOwn(body, "envelope")) return { body };
  const parts = own(body, "parts");
  const trace = {
    used: usedOf(own(body, "used")),
    ...(isObject(parts) ? { parts } : {}),
    truncated: own(body, "truncated") === true,
  };
  return { body: own(body, "envelope"), trace };
}

function usedOf(value: unknown): readonly Used[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry): Used[] => {
    if (!isObject(entry)) return [];
    return [
      {
        id: textOf(entry, "decisionId") ?? "",
        version: textOf(entry, "version") ?? "",
        input: own(entry, "input"),
        envelope: own(entry, "envelope"),
        used: usedOf(listOf(entry, "used")),
      },
    ];
  });
}

/** Stands in a record for a value that was removed before the record was written. */
export class Removed {
  readonly isRemoved = true;
}

export const removedText = "removed before writing";

/**
 * Puts a mark in each place from which something was removed.
 *
 * @param pointers - JSON Pointers; those that lead nowhere are ignored
 */
export function markRemoved(root: unknown, pointers: readonly string[], mark: unknown): unknown {
  return pointers.reduce<unknown>((value, pointer) => place(value, pointerTokens(pointer), mark), root);
}

function place(value: unknown, [token, ...rest]: readonly string[], mark: unknown): unknown {
  if (token === undefined) return mark;
  if (Array.isArray(value)) {
    const index = Number(token);
    return value.map((item, at) => (at === index ? place(item, rest, mark) : item));
  }
  if (!isPlain(value)) return value;
  // Only the last token may be absent: without what is around it, there is no place to show it.
  if (rest.length > 0 && !Object.hasOwn(value, token)) return value;
  return withProperty(value, token, place(own(value, token), rest, mark));
}

function isPlain(value: unknown): value is JsonObject {
  return isObject(value) && !(value instanceof Removed);
}

/** A text for people, also where it was removed. Undefined where there is none. */
export function textOrRemoved(object: JsonObject, key: string): string | undefined {
  return own(object, key) instanceof Removed ? `(${removedText})` : textOf(object, key);
}

/**
 * Every value that holds no others, by its JSON Pointer. Nothing at all has none.
 *
 * @param start - the path of the root itself
 */
export function leavesOf(root: unknown, start: Path = []): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>();
  const visit = (value: unknown, path: Path): void => {
    const inner = isPlain(value) || Array.isArray(value) ? Object.entries(value) : [];
    for (const [name, member] of inner) visit(member, [...path, name]);
    if (inner.length === 0 && value !== undefined) leaves.set(toPointer(path), value);
  };
  visit(root, start);
  return leaves;
}
