import { DecernError, type Problem } from "@decern/core";
import { joinTexts, splitText } from "../batch/joined-text.js";
import type { Names } from "../names.js";
import { isStorable } from "../option-kinds.js";
import type { PostgresPool } from "../pool.js";
import { textOf } from "../row.js";

/** Adds inputs in one statement. @returns their ids */
export async function addInputs(
  pool: PostgresPool,
  names: Names,
  inbox: string,
  inputs: readonly unknown[],
  references: readonly string[] | undefined,
): Promise<readonly string[]> {
  const problems: Problem[] = [];
  const texts = inputs.map((input, index) => {
    const text = jsonOf(input);
    if (text === undefined) problems.push({ path: `/inputs/${index}`, message: "has no JSON form" });
    return text ?? "";
  });
  if (references !== undefined && references.length !== inputs.length)
    problems.push({ path: "/references", message: `must be ${inputs.length}, one for each input` });
  for (const [index, reference] of (references ?? []).entries())
    if (!isStorable(reference))
      problems.push({ path: `/references/${index}`, message: "must be text that PostgreSQL can store" });
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "add", problems });
  if (inputs.length === 0) return [];
  const input = joinTexts(texts);
  const reference = references === undefined ? { text: null, separator: "\n" } : joinTexts(references);
  const { rows } = await pool.query(
    `insert into ${names.inbox} (inbox, input, reference)
      select $1, given.input, given.reference
      from rows from (${splitText(2, 3)}, ${splitText(4, 5)}) with ordinality as given(input, reference, number)
      where given.number <= $6::bigint order by given.number
      returning id::text as id`,
    [inbox, input.text, input.separator, reference.text, reference.separator, inputs.length],
  );
  return rows.map((row) => textOf(row, "id") ?? "");
}

function jsonOf(input: unknown): string | undefined {
  try {
    return JSON.stringify(input);
  } catch {
    // It refers to itself, or holds a bigint.
    return undefined;
  }
}
