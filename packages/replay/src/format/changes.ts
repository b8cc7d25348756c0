import { escapePointer, isJsonObject } from "@decern/core/schema";
import type { CallOutcome, ReplayExample } from "../report/replay-report.js";
import { inlineJson, visible } from "./visible.js";

/** One place of a result that differs. */
export interface Change {
  /** JSON Pointer into `data`, or `error`, or `data` as a whole. */
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

/** Deeper places are compared as a whole. */
const deepest = 16;

/** Where two results differ, place by place. Where one is an error and the other is not, only the error is of interest. */
export function changes({ before, after }: ReplayExample): readonly Change[] {
  const errors = errorChanges(before, after);
  return errors.length > 0 ? errors : dataChanges(before, after);
}

function dataChanges({ data: before }: CallOutcome, { data: after }: CallOutcome): readonly Change[] {
  return before === after ? [] : valueChanges(before, after, "", 0);
}

function errorChanges({ error: before }: CallOutcome, { error: after }: CallOutcome): readonly Change[] {
  const [was, is] = [before, after].map((error) =>
    error === undefined ? "nothing" : visible(`${error.code}: ${error.message}`),
  );
  return was === undefined || is === undefined || was === is
    ? []
    : [{ place: "error", before: was, after: is }];
}

function valueChanges(before: unknown, after: unknown, pointer: string, depth: number): readonly Change[] {
  if (depth < deepest && isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      valueChanges(own(before, name), own(after, name), `${pointer}/${escapePointer(name)}`, depth + 1),
    );
  }
  if (depth < deepest && Array.isArray(before) && Array.isArray(after)) {
    const longer = before.length < after.length ? after : before;
    return longer.flatMap((_, index): readonly Change[] =>
      valueChanges(before[index], after[index], `${pointer}/${index}`, depth + 1),
    );
  }
  const [was, is] = [inlineJson(before), inlineJson(after)];
  return was === is ? [] : [{ place: pointer === "" ? "data" : visible(pointer), before: was, after: is }];
}

/** Not what the prototype has under the name. */
function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
