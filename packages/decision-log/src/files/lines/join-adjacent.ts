/** Joins views of memory that follow one another, so that a batch is written with one call. */
export function* joinAdjacent(views: readonly Uint8Array[]): Generator<Uint8Array> {
  let joined: Uint8Array | undefined;
  for (const view of views) {
    if (joined === undefined) {
      joined = view;
    } else if (joined.buffer === view.buffer && joined.byteOffset + joined.length === view.byteOffset) {
      joined = new Uint8Array(joined.buffer, joined.byteOffset, joined.length + view.length);
    } else {
      yield joined;
      joined = view;
    }
  }
  if (joined !== undefined) yield joined;
}
