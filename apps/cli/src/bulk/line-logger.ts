import type { Logger } from "@decern/core";
import { sentenceOf } from "../command-line/sentence-of.js";

/** Tells of faults in sentences that name the line, and of warnings. */
export function lineLogger(say: (text: string) => void): Logger {
  return {
    warn: (_details, message) => say(`decern: ${message}\n`),
    error: ({ err, line, faults }, message) => {
      const place = line === undefined ? "" : ` (line ${String(line)})`;
      const count = faults === undefined ? "" : ` (${String(faults)})`;
      const reason = err === undefined ? "" : `: ${sentenceOf(err)}`;
      say(`decern: ${message}${place}${count}${reason}\n`);
    },
  };
}
