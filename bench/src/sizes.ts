/** Every size of the benchmark. Nothing else in this folder holds a number that changes what is measured. */
export interface Sizes {
  /** Inputs in each ring. */
  readonly ring: number;
  /** W2: rules of the generated decision; the last one matches. */
  readonly rules: readonly number[];
  /** W4: rows of the decision table. */
  readonly rows: readonly number[];
  /** Rows of the DMN table. */
  readonly dmnRows: number;
  /** W3: decisions in one catalogue. */
  readonly decisions: readonly number[];
  /** W3: processes for each catalogue; the median counts. */
  readonly catalogueRuns: number;
  /** Processes of each table that is timed in process. */
  readonly processes: number;
  /** Alternating rounds in each of them. Many short ones: few of them are interrupted, and the median drops those. */
  readonly rounds: number;
  /** How long one entry runs in one round, in milliseconds. */
  readonly roundMs: number;
  /** How long each entry runs before the first round, in milliseconds. */
  readonly warmUpMs: number;
  readonly log: {
    /** Evaluations of one entry in one round. */
    readonly evaluations: number;
    readonly rounds: number;
    /** Records that are searched. */
    readonly records: number;
    readonly searchRounds: number;
  };
  /** Many inputs in one request. The compiler takes seconds of load to finish, and its time is the server's. */
  readonly batch: {
    readonly rounds: number;
    readonly roundSeconds: number;
    readonly warmUpSeconds: number;
  };
  readonly bulk: {
    /** Records in the file. */
    readonly records: number;
    readonly rounds: number;
  };
  readonly worker: {
    /** Inputs that workers answer in one round. */
    readonly items: number;
    readonly rounds: number;
    /** Inputs that a worker process answers before it is timed. */
    readonly warmUp: number;
  };
  /** Starts of the command; the median counts. */
  readonly commandStarts: number;
  readonly pages: {
    /** Keys that are pressed in a long form. */
    readonly keys: number;
    /** Loads of the page, at each speed. */
    readonly loads: number;
  };
  readonly http: {
    readonly connections: number;
    readonly rounds: number;
    /** Processes that have the server with metrics and without. */
    readonly pairedProcesses: number;
    /** How often both take their turn in each of them. */
    readonly pairs: number;
    /** How long one server is under load in one round, in seconds. 0 sends each input once. */
    readonly roundSeconds: number;
    readonly warmUpSeconds: number;
    readonly latencyRounds: number;
    readonly latencySeconds: number;
    /** Starts of each service; the median counts. */
    readonly coldStarts: number;
    /** Requests before memory is read. */
    readonly memoryRequests: number;
  };
}

export const fullSizes: Sizes = {
  ring: 64,
  rules: [1, 10, 100, 1000],
  rows: [1000, 10_000],
  dmnRows: 3000,
  decisions: [1, 100, 10_000],
  catalogueRuns: 11,
  processes: 5,
  rounds: 31,
  roundMs: 12,
  warmUpMs: 300,
  log: { evaluations: 16_000, rounds: 15, records: 300_000, searchRounds: 5 },
  batch: { rounds: 5, roundSeconds: 3, warmUpSeconds: 6 },
  bulk: { records: 200_000, rounds: 5 },
  worker: { items: 50_000, rounds: 3, warmUp: 5000 },
  commandStarts: 31,
  pages: { keys: 40, loads: 9 },
  http: {
    connections: 64,
    rounds: 11,
    pairedProcesses: 5,
    pairs: 6,
    roundSeconds: 1,
    warmUpSeconds: 1,
    latencyRounds: 3,
    latencySeconds: 30,
    coldStarts: 7,
    memoryRequests: 100_000,
  },
};

/** For CI: every entry runs and is checked; the figures mean nothing. */
export const shortSizes: Sizes = {
  ring: 64,
  rules: [1, 10],
  rows: [500],
  dmnRows: 500,
  decisions: [1, 100],
  catalogueRuns: 1,
  processes: 1,
  rounds: 2,
  roundMs: 2,
  warmUpMs: 1,
  log: { evaluations: 256, rounds: 2, records: 1000, searchRounds: 1 },
  batch: { rounds: 1, roundSeconds: 0, warmUpSeconds: 0 },
  bulk: { records: 2000, rounds: 1 },
  worker: { items: 1000, rounds: 1, warmUp: 10 },
  commandStarts: 1,
  pages: { keys: 2, loads: 1 },
  http: {
    connections: 4,
    rounds: 1,
    pairedProcesses: 1,
    pairs: 1,
    roundSeconds: 0,
    warmUpSeconds: 0,
    latencyRounds: 1,
    latencySeconds: 0,
    coldStarts: 1,
    memoryRequests: 100,
  },
};
