import { plural } from "../command-line/progress.js";
import type { RecordsVerification } from "../records/verify-records.js";
import { printable } from "./printable.js";

/** What came of a check, for people to read. */
export function showVerification(found: RecordsVerification): string {
  const { records, chains, problems, problemCount, missingHeads } = found;
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
    "\n",
    ...chains.map(
      ({ name, records: count, head }) =>
        `chain ${printable(name.replace(/^chain /, ""))}: ${plural(count, "record")}, head ${printable(head ?? "none")}\n`,
    ),
  ].join("");
}
