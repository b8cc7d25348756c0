export type { Emit } from "./emit.js";
export { runWorker } from "./worker/run-worker.js";
export type { WorkerOptions, WorkerSummary } from "./worker/worker-options.js";
