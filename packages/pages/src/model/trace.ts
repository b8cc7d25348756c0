import { isObject, listOf, own, textOf } from "./json.js";

/** The evaluations of other decisions that the rules of one evaluation made. */
export interface Trace {
  readonly used: readonly Used[];
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
  const trace = { used: usedOf(own(body, "used")), truncated: own(body, "truncated") === true };
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
