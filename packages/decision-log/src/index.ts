export { type DecisionLog, decisionLog } from "./decision-log.js";
export { type NdjsonFilesOptions, ndjsonFiles } from "./files/ndjson-files.js";
export { recordFiles } from "./files/record-files.js";
export type { DecisionLogOptions, SampleRates, SubjectOptions } from "./options.js";
export {
  type Erasure,
  erasureLine,
  type KeptDocument,
  type RecordBatch,
  type RecordStore,
  type RecordWriter,
  type SealedRecord,
  type StoredChain,
  type StoredQuery,
  type StoredRecord,
  type StoreStats,
} from "./record/record-store.js";
export type { SubjectKey } from "./record/subjects.js";
export { type RecordEncoder, type RecordEncoderOptions, recordEncoder } from "./record-encoder.js";
export type { VerificationProblem } from "./verify/check-record.js";
export type { Verification, VerifiedChain, VerifyOptions } from "./verify/verify.js";
