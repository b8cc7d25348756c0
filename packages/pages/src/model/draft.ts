import { isObject } from "./json.js";
import { toPointer } from "./pointer.js";
import type { Issue } from "./reply.js";

interface DraftOptions {
  readonly text: string;
  /** Why the text is not a value, as the rest of a sentence that starts with the field's name. */
  readonly problem: string;
  /** Whether to show the problem yet. Not while the user is still typing, say from `1` to `1.5`. */
  readonly shown: boolean;
}

/** Text in a field that is not a value. It takes the value's place, so it is kept as written and never sent. */
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

/** Whether a value contains a draft and so cannot be sent. */
export function hasDraft(value: unknown): boolean {
  return draftsOf(value).length > 0;
}

/** The problems of the drafts in a value that should be shown by now. */
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
