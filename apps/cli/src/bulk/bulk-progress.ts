import type { BulkFileProgress } from "@decern/bulk";
import { grouped } from "../command-line/progress.js";

// The whole line fits a terminal of 80 columns, at a hundred million inputs.
const barLength = 12;

/**
 * Describes how far a job over a file is: a bar, and for evaluations their rate and the time left. What does not fit is left out,
 * first the rate, then the number of inputs: the time left is what people wait for.
 */
export function bulkProgress(): (progress: BulkFileProgress, columns: number) => string {
  let began: { readonly ms: number; readonly items: number; readonly bytes: number } | undefined;
  return ({ phase, doneBytes, totalBytes, items }, columns) => {
    const share = totalBytes === 0 ? 1 : Math.min(doneBytes / totalBytes, 1);
    const filled = Math.floor(share * barLength);
    const bar = `[${"#".repeat(filled)}${"-".repeat(barLength - filled)}] ${Math.floor(share * 100)}%`;
    if (phase === "scan") return `${bar} reading the input`;
    if (phase === "check")
      return widest(columns, `${bar} checking what an earlier run has written`, `${bar} checking`);
    const nowMs = performance.now();
    // What an earlier run has done says nothing about how quick this one is.
    began ??= { ms: nowMs, items, bytes: doneBytes };
    const seconds = (nowMs - began.ms) / 1000;
    const inputs = `${grouped(items)} inputs`;
    if (seconds < 1 || doneBytes <= began.bytes) return widest(columns, `${bar} ${inputs}`, bar);
    const left = `${duration((seconds * (totalBytes - doneBytes)) / (doneBytes - began.bytes))} left`;
    const rate = `${grouped((items - began.items) / seconds)} a second`;
    return widest(
      columns,
      `${bar} ${inputs}, ${rate}, ${left}`,
      `${bar} ${inputs}, ${left}`,
      `${bar} ${left}`,
    );
  };
}

/** The first text that fits, or the last. */
function widest(columns: number, ...texts: readonly string[]): string {
  return texts.find(({ length }) => length <= columns) ?? texts.at(-1) ?? "";
}

/** Such as `0:05` and `1:02:03`. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, "0");
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, "0")}:${rest}`;
}
