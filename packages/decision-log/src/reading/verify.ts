import type { StoredChain, Verification, VerificationProblem } from "@decern/core";
import { checkRecord } from "./check-record.js";

/** Most problems that are described. */
const maxProblems = 100;

/** Checks every record of every chain, and that none is missing. */
export async function verify(chains: AsyncIterable<StoredChain>): Promise<Verification> {
  const problems: VerificationProblem[] = [];
  let problemCount = 0;
  const report = (problem: VerificationProblem): void => {
    problemCount += 1;
    if (problems.length < maxProblems) problems.push(problem);
  };
  const heads: Verification["chains"][number][] = [];
  for await (const chain of chains) heads.push(await verifyChain(chain, report));
  const records = heads.reduce((sum, chain) => sum + chain.records, 0);
  return { ok: problemCount === 0, records, chains: heads, problems, problemCount };
}

async function verifyChain(
  { name, head, mayLackFirst, records }: StoredChain,
  report: (problem: VerificationProblem) => void,
): Promise<Verification["chains"][number]> {
  let count = 0;
  let last: string | null = null;
  /** What the next record may follow; `undefined` where that cannot be known. */
  let expected: readonly (string | null)[] | undefined = mayLackFirst ? undefined : [null];
  for await (const { at, text } of records) {
    count += 1;
    const checked = checkRecord(text);
    const { recordId, problem } = checked;
    const named = recordId === undefined ? { at } : { recordId, at };
    if (problem !== undefined) report({ ...named, ...problem });
    if (expected !== undefined && checked.previous !== undefined && !expected.includes(checked.previous)) {
      const message = "it does not follow the record before it: one was removed, added or moved";
      report({ ...named, kind: "chain", message });
    }
    expected = checked.hashes;
    last = checked.hashes?.[0] ?? last;
  }
  if (head !== undefined && head !== last) {
    report({ at: name, kind: "chain", message: "the last records are missing, or others were added" });
  }
  return { name, records: count, head: last };
}
