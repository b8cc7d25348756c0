import { isObject } from "./json.js";
import { toPointer } from "./pointer.js";
import type { Issue } from "./reply.js";

interface DraftOptions {
  readonly text: string;
  /** Why the text is not a value, in words that follow the name of its field. */
  readonly problem: string;
  /** Whether the problem is worth showing yet. It is not while somebody is on the way from `1` to `1.5`. */
  readonly shown: boolean;
}

/** Text in a field that is not a value. It stands where the value would, so it is kept as it was written and never sent. */
export class Draft {
  readonly text: string;
  readonly problem: string;
  readonly shown: boolean;

  constructor({ text, problem, shown }: DraftOptions) {
    this.text = text;
    this.problem = problem;
    this.shown = shown;
  }

  /** The JSON view and the snippets show the text too. */
  toJSON(): string {
    return this.text;
  }
}

/** Whether a value has a draft anywhere, so that it cannot be sent. */
export function hasDraft(value: unknown): boolean {
  return draftsOf(value).length > 0;
}

/** What the drafts in a value get wrong, as far as it is worth showing yet. */
export function draftIssues(value: unknown): readonly Issue[] {
  return draftsOf(value).flatMap(({ path, draft }) =>
    draft.shown ? [{ path: toPointer(path), message: draft.problem }] : [],
  );
}

interface PlacedDraft {
  readonly path: readonly (string | number)[];
  readonly draft: Draft;
}

function draftsOf(value: unknown, path: readonly (string | number)[] = []): readonly PlacedDraft[] {
  if (value instanceof Draft) return [{ path, draft: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => draftsOf(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => draftsOf(item, [...path, key]));
}
