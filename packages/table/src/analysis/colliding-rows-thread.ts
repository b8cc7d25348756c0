import { parentPort, workerData } from "node:worker_threads";
import { collidingRows } from "./colliding-rows.js";

// `collidingRowsAside` starts this with a table.
parentPort?.postMessage(collidingRows(workerData));
