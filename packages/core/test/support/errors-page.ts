import { ERRORS } from "../../src/index.js";

const rowOf = /^\| `(\w+)` \|[^|]*\| (.*)\|$/;

/** The page with the rows of `ERRORS` in its table. Each keeps its last cell, which is written by hand. */
export function withErrors(page: string): string {
  const lines = page.split("\n");
  const first = lines.findIndex((line) => rowOf.test(line));
  const end = lines.findIndex((line, index) => index > first && !line.startsWith("|"));
  const causes = new Map(
    lines.flatMap((line) => {
      const [, code, cause] = rowOf.exec(line) ?? [];
      return code === undefined || cause === undefined ? [] : [[code, cause] as const];
    }),
  );
  const rows = Object.entries(ERRORS).map(
    ([code, { status, owner }]) =>
      `| \`${code}\` | ${owner === "caller" ? status : `${status} ${owner}`} | ${causes.get(code) ?? ""}|`,
  );
  return [...lines.slice(0, first), ...rows, ...lines.slice(end)].join("\n");
}
