/** Characters that take two columns of a terminal: those of East Asia, and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Characters that are drawn over the one before. */
const none = /\p{Mn}/u;

/** How many columns of a terminal a text takes. */
export function columns(text: string): number {
  let sum = 0;
  for (const character of text) sum += none.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return sum;
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - columns(text))) + text;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columns(text)));
}

/** Cuts a text to a width, with `…` where something is missing. */
export function fit(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let kept = "";
  for (const character of text) {
    if (columns(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Breaks a text between words; words that are wider than a line anywhere. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((one) => pieces(one, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (columns(longer) <= width) {
      line = longer;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function pieces(word: string, width: number): readonly string[] {
  if (columns(word) <= width) return [word];
  const found: string[] = [];
  let piece = "";
  for (const character of word) {
    if (columns(piece + character) > width) {
      found.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...found, piece];
}

/** One column of a table. */
interface Column {
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

/** What a text report needs to know of its terminal. */
export interface Terminal {
  readonly width: number;
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  attention(text: string): string;
}

/** A terminal with or without colours. */
export function terminal(width: number, hasColor: boolean): Terminal {
  const style =
    (start: number, end: number) =>
    (text: string): string =>
      hasColor ? `\u001b[${start}m${text}\u001b[${end}m` : text;
  return {
    width,
    bold: style(1, 22),
    dim: style(2, 22),
    good: style(32, 39),
    bad: style(31, 39),
    attention: style(33, 39),
  };
}
