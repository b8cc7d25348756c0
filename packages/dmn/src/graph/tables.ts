import { type NestedTable, tablesIn } from "../boxed/nested-tables.js";
import type { Linked } from "./link.js";
import type { ModelProgram } from "./program.js";

/** The tables of an element itself. */
export function ownTables({ element }: Linked): readonly NestedTable[] {
  if (element.kind === "decision" && element.expression !== undefined)
    return tablesIn(element.expression, element.name);
  if (element.kind === "knowledge" && element.definition !== undefined)
    return tablesIn(element.definition, element.name);
  return [];
}

/** An element's tables, then those of what it requires. */
export function tablesOf(start: Linked, program: ModelProgram): readonly NestedTable[] {
  const seen = new Set([start]);
  // A set that grows while it is read.
  for (const each of seen) {
    for (const next of [...each.requires, ...program.outputsOf(each)]) seen.add(next);
  }
  return [...seen].flatMap(ownTables);
}

/** The input data that an element's value depends on. */
export function inputsOf(start: Linked, program: ModelProgram): readonly Linked[] {
  if (start.element.kind === "service") return program.parametersOf(start);
  const seen = new Set([start]);
  for (const { requires } of seen) {
    for (const next of requires) seen.add(next);
  }
  return [...seen].filter(({ element }) => element.kind === "input");
}
