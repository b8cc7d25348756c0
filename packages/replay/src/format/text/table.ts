import { columns, fit, padEnd, padStart } from "./columns.js";

/** One column of a table. */
export interface Column {
  readonly head: string;
  readonly align: "left" | "right";
  /** Columns that may be cut where the terminal is narrow. */
  readonly canShrink?: boolean;
}

const gap = "  ";

/** Lines of a table as wide as its contents, and at most `width` wide where something can be cut. */
export function table(
  heads: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  const cells = [heads.map(({ head }) => head), ...rows];
  const natural = heads.map((_, index) => Math.max(...cells.map((row) => columns(row[index] ?? ""))));
  const widths = shrunk(natural, heads, width - gap.length * (heads.length - 1));
  return cells.map((row) =>
    heads
      .map(({ align }, index) => {
        const text = fit(row[index] ?? "", widths[index] ?? 0);
        return align === "right" ? padStart(text, widths[index] ?? 0) : padEnd(text, widths[index] ?? 0);
      })
      .join(gap)
      .trimEnd(),
  );
}

/** Takes from the widest column that can be cut, until the table fits. */
function shrunk(natural: readonly number[], heads: readonly Column[], room: number): readonly number[] {
  const widths = [...natural];
  const least = 8;
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess -= 1) {
    const widest = heads.reduce(
      (best, { canShrink }, index) =>
        canShrink === true && (widths[index] ?? 0) > Math.max(least, widths[best] ?? 0) ? index : best,
      -1,
    );
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
