/** How many times in a row a connection was found without progress, and when it last was. */
export interface Stall {
  readonly count: number;
  readonly atMs: number;
}
