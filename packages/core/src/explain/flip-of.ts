import type { Flip } from "./explanation.js";
import type { Answer } from "./trials.js";

/** @param to - `undefined` leaves the field out */
export function flipOf(to: unknown, answer: Answer, isNearest: boolean): Flip {
  const { status, rule, explanation, data, changesRule, changesOutput } = answer;
  return {
    ...(to === undefined ? {} : { to }),
    status: status === "OK" ? "OK" : "NO_MATCH",
    ...(rule === undefined ? {} : { matchedRule: rule }),
    ...(explanation === undefined ? {} : { explanation }),
    ...(data === undefined ? {} : { data }),
    changesRule,
    changesOutput,
    isNearest,
  };
}
