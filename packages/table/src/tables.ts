import type { Decision } from "@decern/core";
import { program } from "@decern/core/tools";
import type { TableModel } from "./model.js";

/** The models of decisions that tables make, by their content: a decision that was given a profile has the same. */
const models = new WeakMap<object, TableModel>();

export function remember(decision: Decision, model: TableModel): void {
  const { content } = decision[program];
  if (content !== undefined) models.set(content, model);
}

/** @returns `undefined` for a decision that no table makes */
export function modelOf(decision: Decision): TableModel | undefined {
  const { content } = decision[program];
  return content === undefined ? undefined : models.get(content);
}
