import type { DecisionRecord } from "@decern/core";
import { jsonBlock, printable } from "./printable.js";

/** A record for people to read. */
export function showRecord({
  record,
  profile,
}: {
  readonly record: DecisionRecord;
  readonly profile: unknown;
}): string {
  const { decision, matchedRule, masked, payload } = record;
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ["record", record.recordId],
    ["recorded", record.recordedAt],
    ["request", record.requestId],
    ["caller", record.caller],
    ["decision", `${decision.id} ${decision.version}, chosen by ${record.selectedBy}`],
    ["shadow of", record.shadowOf],
    ["build", record.build],
    ["outcome", matchedRule === undefined ? record.status : `${record.status}, rule ${matchedRule}`],
    ["took", `${Number((record.durationSeconds * 1e3).toPrecision(3))} ms`],
    ["sample rate", record.sampleRate === 1 ? undefined : String(record.sampleRate)],
    ["subject", record.subject],
    ["masked", masked.length === 0 ? undefined : masked.map((pointer) => pointer || "everything").join(", ")],
    ["profile hash", record.profileHash],
  ];
  const parts: readonly (readonly [name: string, value: unknown])[] =
    payload === null
      ? [["profile", profile]]
      : [
          ["input", payload.input],
          ["profile", profile],
          ["answer", payload.result],
          ["error", payload.error],
          ["used", payload.used],
        ];
  return [
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : `${name.padEnd(13)} ${printable(value)}\n`,
    ),
    ...(payload === null ? ["payload       erased, or never written\n"] : []),
    ...parts.flatMap(([name, value]) => (value === undefined ? [] : `\n${name}\n${jsonBlock(value)}`)),
  ].join("");
}
