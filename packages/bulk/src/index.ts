export { serveBulkThread } from "./crew/crew.js";
export type { BulkFilterOptions, BulkFilterSummary } from "./filter/bulk-filter.js";
export { bulkFilter } from "./filter/bulk-filter.js";
export type { InputFormatName } from "./formats/input-format.js";
export type {
  BulkBacklog,
  BulkItem,
  BulkResult,
  BulkSource,
  BulkStatus,
  CommittedBatch,
  TakenBatch,
  WorkerObserver,
} from "./items/bulk-source.js";
export type { Emit } from "./items/item-evaluator.js";
export type { BulkFileOptions, BulkFileProgress, BulkFileSummary } from "./job/bulk-file-options.js";
export { bulkFile } from "./job/file-job.js";
export type { BulkAnswer, BulkEncoder, EncodedPart, PartEncoder } from "./parts/encoder.js";
export type { BulkWork, BulkWorkHere, BulkWorkInThreads } from "./parts/work.js";
export type { WorkerOptions, WorkerSummary } from "./worker/run-worker.js";
export { runWorker } from "./worker/run-worker.js";
