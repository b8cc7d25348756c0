/**
 * How much of a result is written.
 *
 * - `compact`: status, output and the id of the rule, `{"status":"OK","data":…,"matchedRule":"…"}`
 * - `envelope`: what a service replies
 */
export type Emit = "compact" | "envelope";

export const emits = ["compact", "envelope"] as const satisfies readonly Emit[];
