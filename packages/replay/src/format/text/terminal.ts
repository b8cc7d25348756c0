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
