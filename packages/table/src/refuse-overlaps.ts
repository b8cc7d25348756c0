import type { Awaitable, Problem } from "@decern/core";
import { forbiddenOverlaps } from "./analysis/analyze.js";
import { collidingRows, comparedTable } from "./analysis/colliding-rows.js";
import { collidingRowsAside } from "./analysis/colliding-rows-aside.js";
import type { TableContract } from "./contract/contract.js";
import type { Place } from "./document/document.js";
import { errorsOf, Problems } from "./document/problems.js";
import type { TableModel } from "./model.js";

/** To compare more rows takes longer than a service can stand still. */
const mostCompared = 1000;

/** Whether {@link refuseOverlaps} leaves the table to {@link largeTableProblems}. */
export function isLarge({ rows }: TableModel): boolean {
  return rows.length > mostCompared;
}

/** Two rows of `U`, or two results of `A`, where that is certain before any call. */
export function refuseOverlaps(schemas: TableContract, model: TableModel, problems: Problems): void {
  if (!isLarge(model)) refuseThose(schemas, model, [...model.rows.keys()], problems);
}

/**
 * Compares the rows of a large table as {@link refuseOverlaps} does those of others.
 *
 * @param signal - ends the search, which is then in a thread
 */
export function largeTableProblems(
  schemas: TableContract,
  model: TableModel,
  placeOf: (path: string) => Place,
  signal: AbortSignal | undefined,
): Awaitable<readonly Problem[]> {
  if (!isExclusive(model)) return [];
  const table = comparedTable(model);
  const problemsOf = (rows: readonly number[]): readonly Problem[] => {
    const problems = new Problems(placeOf);
    refuseThose(schemas, model, rows, problems);
    return errorsOf(problems.list);
  };
  if (signal === undefined) return problemsOf(collidingRows(table));
  return collidingRowsAside(table, signal).then(problemsOf);
}

function isExclusive({ hitPolicy }: TableModel): boolean {
  return hitPolicy === "U" || hitPolicy === "A";
}

/** @param places - of the rows to compare */
function refuseThose(
  schemas: TableContract,
  model: TableModel,
  places: readonly number[],
  problems: Problems,
): void {
  const { hitPolicy, rows } = model;
  if (!isExclusive(model)) return;
  const placeOf = new Map(places.map((place) => [rows[place]?.id ?? "", place] as const));
  const some = { ...model, rows: places.flatMap((place) => rows[place] ?? []) };
  for (const { rules, witness } of forbiddenOverlaps(some, schemas, { budget: 1_000_000, limit: 100 })) {
    const [first, second] = rules;
    const allowed = hitPolicy === "U" ? "U allows one row" : "A allows one result";
    problems.error(
      `/rules/${placeOf.get(second)}`,
      `the rows "${first}" and "${second}" overlap, and ${allowed}; both match ${JSON.stringify(witness)}`,
    );
  }
}
