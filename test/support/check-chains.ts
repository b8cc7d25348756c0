import type { DecisionRecord } from "../../packages/core/src/index.js";
import type { RecordStore } from "../../packages/decision-log/src/index.js";
import { canonicalText, sha256 } from "./sealed-records.js";

/** What is wrong in a store: where, and the record's id where it can be read. */
export interface ChainProblem {
  readonly at: string;
  readonly recordId: string | undefined;
}

/** Checks every chain of a store in a way of its own, from the text of its records. */
export async function checkChains(store: RecordStore): Promise<{
  readonly records: number;
  readonly chains: number;
  readonly problems: readonly ChainProblem[];
}> {
  const problems: ChainProblem[] = [];
  let records = 0;
  let chains = 0;
  for await (const chain of store.chains()) {
    chains += 1;
    let head: string | null | undefined = chain.mayLackFirst ? undefined : null;
    for await (const { at, text } of chain.records) {
      records += 1;
      const record = readRecord(text);
      if (record === undefined || !isWhole(record) || (head !== undefined && record.previousHash !== head)) {
        problems.push({ at, recordId: record?.recordId });
      }
      head = record?.hash;
    }
  }
  return { records, chains, problems };
}

function readRecord(text: string): DecisionRecord | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isWhole({ payload, hash, ...bare }: DecisionRecord): boolean {
  if (hash !== sha256(canonicalText(bare))) return false;
  if (payload === null) return true;
  const { salt, ...content } = payload;
  const bytes = Buffer.concat([Buffer.from(salt, "base64url"), Buffer.from(canonicalText(content))]);
  return bare.payloadHash === sha256(bytes);
}
