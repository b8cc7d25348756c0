/** One part of a document: the higher its rank, the sooner it is left out. */
export interface Part {
  readonly rank: number;
  readonly text: string;
}

/** Joins the parts that fit into `room` characters, in order, the important ones first. Says how many are missing. */
export function fitting(parts: readonly Part[], room: number): string {
  const note = (missing: number): string =>
    `_${missing === 1 ? "One more part does" : `${missing} more parts do`} not fit into a comment._`;
  let left = room - note(parts.length).length - 4;
  const chosen = new Set<Part>();
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    if (part.text.length + 2 > left) continue;
    chosen.add(part);
    left -= part.text.length + 2;
  }
  const missing = parts.length - chosen.size;
  const texts = parts.filter((part) => chosen.has(part)).map(({ text }) => text);
  return `${[...texts, ...(missing === 0 ? [] : [note(missing)])].join("\n\n")}\n`;
}
