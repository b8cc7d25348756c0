import type { Decision } from "@decern/core";
import type { TableModel } from "./model.js";

/** The models of decisions that tables make. */
const models = new WeakMap<object, TableModel>();

export function remember(decision: Decision, model: TableModel): void {
  models.set(decision, model);
}

/** @returns `undefined` for a decision that no table makes */
export function modelOf(decision: object): TableModel | undefined {
  return models.get(decision);
}
