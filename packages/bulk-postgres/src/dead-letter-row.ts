import type { DeadLetter } from "./dead-letter.js";
import { numberOf, textOf } from "./row.js";

/** Reads a row with `position`, `input`, `tries`, `reason` and `died_ms`. */
export function deadLetterOf(row: object): DeadLetter {
  return {
    position: textOf(row, "position") ?? "",
    input: textOf(row, "input"),
    tries: numberOf(row, "tries"),
    reason: textOf(row, "reason") ?? "",
    diedAt: new Date(numberOf(row, "died_ms")),
  };
}
