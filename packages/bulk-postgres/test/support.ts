import type { BulkSource, TakenBatch } from "@decern/core";

/** Takes, and fails where there is nothing. */
export async function takeSome(source: BulkSource, max = 1000): Promise<TakenBatch> {
  const batch = await source.take(max, new AbortController().signal);
  if (batch === undefined || batch.items.length === 0) throw new Error("there was nothing to take");
  return batch;
}

/** Answers each input with itself. */
export async function answer(batch: TakenBatch): Promise<void> {
  await batch.commit(
    batch.items.map(({ position, bytes }) => ({
      position,
      status: "OK",
      text: Buffer.from(bytes).toString(),
    })),
  );
}

/** Answers everything. @returns the sizes of the batches */
export async function answerAll(source: BulkSource, max = 1000): Promise<readonly number[]> {
  const sizes: number[] = [];
  for (;;) {
    const batch = await source.take(max, new AbortController().signal);
    if (batch === undefined || batch.items.length === 0) return sizes;
    sizes.push(batch.items.length);
    await answer(batch);
  }
}

export function textsOf(batch: TakenBatch): readonly string[] {
  return batch.items.map(({ bytes }) => Buffer.from(bytes).toString());
}
