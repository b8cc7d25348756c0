import { utimesSync, writeFileSync } from "node:fs";
import { type ProcessMark, processMark } from "../../packages/core/src/base/disk.js";

/** No process has so large an id. */
export const deadPid = 4_194_305;

/** Leaves a lock as if another process had touched it a while ago. What is not said of that process is as it is of this one. */
export function leaveLock(path: string, mark: Partial<ProcessMark> | string, ageMs = 0): void {
  writeFileSync(
    path,
    typeof mark === "string" ? mark : JSON.stringify({ ...processMark(), key: "other", ...mark }),
  );
  const touched = new Date(Date.now() - ageMs);
  utimesSync(path, touched, touched);
}
