import { decisionLog, ndjsonFiles } from "@decern/decision-log";

export const log = decisionLog({ store: ndjsonFiles("records") });
