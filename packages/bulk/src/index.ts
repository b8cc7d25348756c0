export type { Emit } from "./emit.js";
export { bulkFile } from "./files/bulk-file.js";
export type {
  BulkFileOptions,
  BulkFileProgress,
  BulkFileSummary,
  BulkWork,
  BulkWorkHere,
  BulkWorkInThreads,
} from "./files/bulk-file-options.js";
export type { InputFormatName } from "./files/formats/input-format.js";
export type { BulkAnswer, BulkEncoder, EncodedPart, PartEncoder } from "./files/part/bulk-encoder.js";
export { serveBulkThread } from "./files/threads/serve-bulk-thread.js";
export { runWorker } from "./worker/run-worker.js";
export type { WorkerOptions, WorkerSummary } from "./worker/worker-options.js";
