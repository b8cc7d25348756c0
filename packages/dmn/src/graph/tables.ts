import { tableRowIds } from "../boxed/table-ids.js";
import type { Linked } from "./link.js";
import type { ModelProgram } from "./program.js";

/** The rows of an element's tables, then those of what it requires. */
export function tablesOf(
  start: Linked,
  program: ModelProgram,
): readonly { readonly id: string; readonly description: string | undefined }[] {
  const seen = new Set<Linked>();
  const open = [start];
  const rows: { readonly id: string; readonly description: string | undefined }[] = [];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const { element } = next;
    if (element.kind === "decision" && element.expression !== undefined)
      rows.push(...tableRowIds(element.expression, element.name));
    if (element.kind === "knowledge" && element.definition !== undefined)
      rows.push(...tableRowIds(element.definition, element.name));
    open.push(...next.requires, ...program.outputsOf(next));
  }
  return rows;
}

/** The input data that an element's value depends on. */
export function inputsOf(start: Linked, program: ModelProgram): readonly Linked[] {
  if (start.element.kind === "service") return program.parametersOf(start);
  const seen = new Set<Linked>();
  const open = [start];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...next.requires);
  }
  return [...seen].filter(({ element }) => element.kind === "input");
}
