export { decisionLog } from "./decision-log.js";
export type { DecisionLogOptions, SampleRates, SubjectOptions } from "./options.js";
export type { SubjectKey } from "./record/subjects.js";
