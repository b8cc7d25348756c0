import { Console } from "node:console";
import { Readable, Writable } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";
import { bulkFilter } from "@decern/bulk";
import { decisionWork } from "../module/decision-work.js";
import { type FilterInput, type FilterOrder, type FilterReport, lineLogger } from "./messages.js";

// What the module says goes to standard error, as in the main thread.
globalThis.console = new Console(process.stderr);

const port = parentPort;

if (port === null) throw new TypeError("this module is for a thread");

const { data, ...options }: FilterOrder = workerData;

const work = await decisionWork(data);

const tell = (report: FilterReport): void => port.postMessage(report);

const input = new Readable({ read: () => tell({ type: "more" }) });

port.on("message", (bytes: FilterInput) => input.push(bytes));

const output = new Writable({
  decodeStrings: false,
  write: (text: string, _encoding, done) => {
    tell({ type: "results", text });
    done();
  },
});

const logger = lineLogger((text) => process.stderr.write(text));

const { counts } = await bulkFilter({ ...options, ...work, input, output, logger });

tell({ type: "finished", counts });
