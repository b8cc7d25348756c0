export { decisionLog } from "./decision-log.js";
export { type NdjsonFilesOptions, ndjsonFiles } from "./files/ndjson-files.js";
export { recordFiles } from "./files/record-files.js";
export type { DecisionLogOptions, SampleRates, SubjectOptions } from "./options.js";
export type { SubjectKey } from "./record/subjects.js";
export { type RecordEncoder, type RecordEncoderOptions, recordEncoder } from "./record-encoder.js";
