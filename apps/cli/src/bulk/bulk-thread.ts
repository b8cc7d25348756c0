import { Console } from "node:console";
import { workerData } from "node:worker_threads";
import { serveBulkThread } from "@decern/bulk";
import { recordEncoder } from "@decern/decision-log";
import { decisionWork } from "../module/decision-work.js";
import { isBulkSettings } from "./messages.js";

// What the module says goes to standard error, as in the main thread.
globalThis.console = new Console(process.stderr);

if (!isBulkSettings(workerData)) throw new TypeError("the thread was started with other data");

const { id, mask } = workerData;

const encoders = [recordEncoder({ mask: { [id]: mask } })];

serveBulkThread({ ...(await decisionWork(workerData)), encoders });
