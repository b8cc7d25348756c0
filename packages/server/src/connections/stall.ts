/** How many times in a row a connection made no progress, and when it was last checked. */
export interface Stall {
  readonly count: number;
  readonly atMs: number;
}
