/** How long something took in each round. */
export interface WorkerRun {
  readonly name: string;
  readonly seconds: readonly number[];
}
