import type { Verification, VerifiedChain } from "@decern/decision-log";
import { plural } from "../command-line/progress.js";
import { printable } from "./printable.js";

/** What came of a check, for people to read. */
export function showVerification(found: Verification): string {
  const { records, chains, erasures, problems, problemCount, missingHeads, unrememberedIds } = found;
  const size = `${plural(records, "record")} in ${plural(chains.length, "chain")}`;
  const unnamed = problemCount - problems.length;
  return [
    found.ok ? `No problems found: ${size}\n` : `Problems found: ${size}\n`,
    ...problems.map(
      ({ recordId, at, message }) =>
        `\n  ${printable(recordId ?? "a record that cannot be read")}, at ${printable(at)}\n    ${message}\n`,
    ),
    ...(unnamed > 0 ? [`\n  and ${plural(unnamed, "further problem")}\n`] : []),
    ...missingHeads.map((head) => `\n  no record has the head ${head}: the end of its chain was cut off\n`),
    ...(unrememberedIds > 0
      ? [`\n  too many records to compare all ids: those of ${unrememberedIds} may occur again\n`]
      : []),
    "\n",
    ...chains.map((chain) => showChain("chain", "record", chain)),
    ...erasures.map((chain) => showChain("erasures", "erasure", chain)),
  ].join("");
}

function showChain(
  what: string,
  item: string,
  { name, records, head, withoutPayload, upToHead }: VerifiedChain,
): string {
  const facts = [
    plural(records, item),
    ...(withoutPayload > 0 ? [`${withoutPayload} without payload`] : []),
    `head ${printable(head ?? "none")}`,
    ...unproven(records, upToHead),
  ];
  return `${what} ${printable(name.replace(/^chain /, ""))}: ${facts.join(", ")}\n`;
}

/** What no given head proves. */
function unproven(records: number, upToHead: number | undefined): readonly string[] {
  if (upToHead === undefined || upToHead === records) return [];
  return [upToHead === 0 ? "no head given" : `${records - upToHead} after the given head`];
}
