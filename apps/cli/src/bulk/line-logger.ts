import type { Logger } from "@decern/core";
import { sentenceOf } from "../command-line/sentence-of.js";

/** Tells of faults in sentences that name the line. */
export function lineLogger(say: (text: string) => void): Logger {
  return {
    error: ({ err, line, faults }, message) => {
      const place = line === undefined ? "" : ` (line ${String(line)})`;
      const count = faults === undefined ? "" : ` (${String(faults)})`;
      const reason = err === undefined ? "" : `: ${sentenceOf(err)}`;
      say(`decern: ${message}${place}${count}${reason}\n`);
    },
  };
}
