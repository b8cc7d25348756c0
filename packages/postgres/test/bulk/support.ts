import type { BulkItem, BulkSource, TakenBatch } from "@decern/bulk";

/** A job over the table `loans`, as all tests of jobs have it. */
export const march = {
  job: "march",
  table: "loans",
  key: "id",
  revision: { id: "loan", version: "1" },
} as const;

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

/**
 * Works until the source has ended, as `runWorker` does: releases what could not be committed, and goes on after what failed.
 *
 * @returns the sizes of the batches that were committed, and what was thrown
 */
export async function workOff(
  source: BulkSource,
  textOf: (item: BulkItem) => string = () => "fine",
): Promise<{ readonly sizes: readonly number[]; readonly failures: readonly unknown[] }> {
  const sizes: number[] = [];
  const failures: unknown[] = [];
  for (;;) {
    try {
      const batch = await source.take(1000, new AbortController().signal);
      if (batch === undefined) return { sizes, failures };
      if (batch.items.length === 0) continue;
      try {
        await commitTexts(batch, textOf);
        sizes.push(batch.items.length);
      } catch (error) {
        failures.push(error);
        await batch.release();
      }
    } catch (error) {
      failures.push(error);
    }
    if (failures.length > 100) throw new Error("it does not end", { cause: failures[0] });
  }
}

async function commitTexts(batch: TakenBatch, textOf: (item: BulkItem) => string): Promise<void> {
  await batch.commit(
    batch.items.map((item) => ({
      position: item.position,
      status: "OK",
      // Read when the statement is made.
      get text() {
        return textOf(item);
      },
    })),
  );
}
