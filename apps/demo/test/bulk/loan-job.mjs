import { argv, resourceUsage } from "node:process";
import { bulkFile } from "@decern/bulk";
import { loanApproval, profiles } from "../../dist/decisions/index.js";

// node loan-job.mjs INPUT OUTPUT [THREADS [PART_BYTES]]: evaluates a file. 0 threads work in this one.
const [input, output, threads = "2", partBytes = `${8 * 1024 * 1024}`] = argv.slice(2);
const here = { decision: loanApproval, profiles: { "loan-approval": profiles["loan-approval"] } };
const thread = new URL("./loan-thread.mjs", import.meta.url);
const beganMs = performance.now();
let evaluateMs;
const summary = await bulkFile({
  input,
  output,
  work: threads === "0" ? here : { thread, count: Number(threads) },
  now: new Date("2026-03-01T00:00:00.000Z"),
  partBytes: Number(partBytes),
  onProgress: ({ phase }) => {
    if (phase === "evaluate") evaluateMs ??= performance.now();
  },
});
const seconds = (performance.now() - beganMs) / 1000;
const scanSeconds = evaluateMs === undefined ? undefined : (evaluateMs - beganMs) / 1000;
const { maxRSS, userCPUTime, systemCPUTime } = resourceUsage();
const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
console.log(
  JSON.stringify({
    ...summary,
    seconds,
    scanSeconds,
    cpuSeconds,
    rate: summary.items / seconds,
    maxRSSMiB: maxRSS / 1024,
  }),
);
