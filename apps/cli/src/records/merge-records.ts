import type { DecisionRecord } from "@decern/core";

/** The records of several streams by their time; those of one stream stay in their order. */
export async function* mergeRecords(
  streams: readonly AsyncIterable<DecisionRecord>[],
  options: { readonly newestFirst?: boolean | undefined; readonly limit?: number | undefined },
): AsyncGenerator<DecisionRecord, void> {
  const { newestFirst = false, limit = Number.POSITIVE_INFINITY } = options;
  const open = new Set(streams.map((stream) => stream[Symbol.asyncIterator]()));
  const heads = new Map<AsyncIterator<DecisionRecord>, DecisionRecord>();
  const advance = async (stream: AsyncIterator<DecisionRecord>): Promise<void> => {
    const next = await stream.next();
    if (next.done !== true) {
      heads.set(stream, next.value);
    } else {
      heads.delete(stream);
      open.delete(stream);
    }
  };
  try {
    for (const stream of open) await advance(stream);
    for (let count = 0; count < limit; count += 1) {
      const [stream, head] = first(heads, newestFirst) ?? [];
      if (stream === undefined || head === undefined) return;
      yield head;
      await advance(stream);
    }
  } finally {
    for (const stream of open) await stream.return?.();
  }
}

function first<Stream>(
  heads: ReadonlyMap<Stream, DecisionRecord>,
  newestFirst: boolean,
): readonly [Stream, DecisionRecord] | undefined {
  let best: readonly [Stream, DecisionRecord] | undefined;
  for (const entry of heads) {
    const [, { recordedAt }] = entry;
    if (best === undefined) best = entry;
    else if (newestFirst ? recordedAt > best[1].recordedAt : recordedAt < best[1].recordedAt) best = entry;
  }
  return best;
}
