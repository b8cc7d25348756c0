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
