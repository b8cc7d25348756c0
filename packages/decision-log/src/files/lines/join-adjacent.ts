/** Joins views of memory that follow one another, so that a batch is written with one call. */
export function* joinAdjacent(views: readonly Uint8Array[]): Generator<Uint8Array> {
  let first: Uint8Array | undefined;
  let length = 0;
  for (const view of views) {
    if (first?.buffer === view.buffer && first.byteOffset + length === view.byteOffset) {
      length += view.length;
      continue;
    }
    if (first !== undefined) yield new Uint8Array(first.buffer, first.byteOffset, length);
    first = view;
    length = view.length;
  }
  if (first !== undefined) yield new Uint8Array(first.buffer, first.byteOffset, length);
}
