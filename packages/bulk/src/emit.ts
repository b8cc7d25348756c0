/**
 * How much of a result is written.
 *
 * - `compact`: status, output and the id of the rule, `{"status":"OK","data":…,"matchedRule":"…"}`
 * - `envelope`: what a service replies
 */
export type Emit = "compact" | "envelope";

/** Ways to write results that files have, too, apart from encoders: `csv` is a row for each input. */
export const fileEmits = ["compact", "csv", "envelope"] as const;

export const emits = ["compact", "envelope"] as const satisfies readonly Emit[];
