/** An input that was given up. */
export interface DeadLetter {
  readonly position: string;
  /** JSON text; `null` where the row is gone, or its input cannot be read. */
  readonly input: string | null;
  readonly tries: number;
  readonly reason: string;
  readonly diedAt: Date;
}

/** How many tries an input has before it becomes a dead letter. */
export const mostTries = 5;

export const reasonUnknown =
  "Every attempt ended without a result: the worker was killed, ran out of memory or hung";

/** How many inputs may be taken together, by how often the first was tried: soon each is alone with what it does. */
export function batchSize(tries: number, max: number): number {
  if (tries === 0) return max;
  return tries === 1 ? Math.min(32, max) : 1;
}
