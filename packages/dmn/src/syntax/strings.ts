const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "'": "'",
  "\\": "\\",
};

const escapeSequence = /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{6})|(.))/gsu;

/** The text of a literal, without its quotes. An escape that FEEL does not have stands for itself. */
export function unquoted(literal: string): string {
  const inner = literal.slice(1, -1);
  if (!inner.includes("\\")) return inner;
  return inner.replace(escapeSequence, (whole: string, four?: string, six?: string, one?: string) => {
    if (four !== undefined) return String.fromCharCode(Number.parseInt(four, 16));
    if (six !== undefined) {
      const code = Number.parseInt(six, 16);
      return code > 0x10_ffff ? whole : String.fromCodePoint(code);
    }
    return (one === undefined ? undefined : escapes[one]) ?? whole;
  });
}
