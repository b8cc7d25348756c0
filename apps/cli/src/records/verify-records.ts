import type { RecordStore, StoredChain, StoredRecord, Verification } from "@decern/core";
import { feature } from "@decern/core/host";
import { decisionLog } from "@decern/decision-log";

/** What came of a check, and which of the heads that were asked for no record has. */
export interface RecordsVerification extends Verification {
  readonly missingHeads: readonly string[];
}

/**
 * Checks every record and every chain.
 *
 * @param heads - hashes that records must have
 * @param onRecord - called for every record with their number so far
 */
export async function verifyRecords(
  store: RecordStore,
  heads: readonly string[],
  onRecord: (records: number) => void,
): Promise<RecordsVerification> {
  const missing = new Set(heads);
  let count = 0;
  const seen = (text: string): void => {
    count += 1;
    onRecord(count);
    for (const head of missing) if (text.includes(head) && hashOf(text) === head) missing.delete(head);
  };
  const found = await decisionLog({ store: watched(store, seen), logger: { error: () => {} } }).verify();
  return { ...found, ok: found.ok && missing.size === 0, missingHeads: [...missing] };
}

/** A store that tells which records are read for their proof. */
function watched(store: RecordStore, seen: (text: string) => void): RecordStore {
  return {
    [feature]: "record-store",
    open: (host) => store.open(host),
    find: (query) => store.find(query),
    profile: (hash) => store.profile(hash),
    async *chains(): AsyncGenerator<StoredChain, void> {
      for await (const chain of store.chains()) yield { ...chain, records: recordsOf(chain, seen) };
    },
    erase: (subjects) => store.erase(subjects),
    stats: () => store.stats(),
    close: () => store.close(),
  };
}

async function* recordsOf(
  { records }: StoredChain,
  seen: (text: string) => void,
): AsyncGenerator<StoredRecord, void> {
  for await (const record of records) {
    seen(record.text);
    yield record;
  }
}

function hashOf(text: string): unknown {
  try {
    const record: unknown = JSON.parse(text);
    return typeof record === "object" && record !== null ? Reflect.get(record, "hash") : undefined;
  } catch {
    return undefined;
  }
}
