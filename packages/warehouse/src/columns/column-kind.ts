import { escapePointer } from "@decern/core/schema";
import { type OptionKind, optionKinds } from "@decern/core/tools";

/** The names on the way to a column's member. */
export function segmentsOf(column: string): readonly string[] {
  return column.split(".");
}

const columnName: OptionKind = (value, path) => {
  if (typeof value !== "string") return optionKinds.text(value, path);
  const segments = segmentsOf(value);
  // Assigning to it would set the prototype instead of a member.
  return segments.includes("") || segments.includes("__proto__")
    ? [{ path, message: "must name a property of the input, such as amount or applicant.score" }]
    : [];
};

const columnList = optionKinds.listOf(columnName, { nonEmpty: true });

/** The `columns` option: no column twice, and none inside another one. */
export const columnsKind: OptionKind = (value, path) => {
  const problems = columnList(value, path);
  if (problems.length > 0 || !Array.isArray(value)) return problems;
  const names: readonly string[] = value;
  return names.flatMap((name, index) => {
    const place = `${path}/${escapePointer(String(index))}`;
    if (names.indexOf(name) < index) return [{ path: place, message: `is ${name} again` }];
    const outer = names.find((other) => name.startsWith(`${other}.`));
    return outer === undefined ? [] : [{ path: place, message: `is inside ${outer}, which is a column too` }];
  });
};
