import { feature } from "@decern/core/tools";
import type { RecordStore, StoredChain, StoreStats } from "@decern/decision-log";
import { CommandError } from "../command-line/command.js";
import { mergeRecords } from "./merge-records.js";

/** Several stores, read as one. */
export function joinedStore(stores: readonly RecordStore[]): RecordStore {
  const [only] = stores;
  if (only !== undefined && stores.length === 1) return only;
  return {
    [feature]: "record-store",
    open: async () => {
      throw new CommandError("several sources are read-only: pass one folder or database");
    },
    find: (query) =>
      mergeRecords(
        stores.map((store) => store.find(query)),
        query,
      ),
    async profile(hash) {
      for (const store of stores) {
        const profile = await store.profile(hash);
        if (profile !== undefined) return profile;
      }
      return undefined;
    },
    async *chains(): AsyncGenerator<StoredChain, void> {
      for (const store of stores) yield* store.chains();
    },
    async *erasures(): AsyncGenerator<StoredChain, void> {
      for (const store of stores) yield* store.erasures();
    },
    async erase(subjects) {
      let records = 0;
      for (const store of stores) records += await store.erase(subjects);
      return records;
    },
    stats: async () => sumOf(await Promise.all(stores.map((store) => store.stats()))),
    async close() {
      for (const store of stores) await store.close();
    },
  };
}

function sumOf(parts: readonly StoreStats[]): StoreStats {
  const sum = (pick: (stats: StoreStats) => number): number =>
    parts.reduce((total, part) => total + pick(part), 0);
  const times = (pick: (stats: StoreStats) => Date | undefined): readonly Date[] =>
    parts.flatMap((part) => pick(part) ?? []).sort((a, b) => a.getTime() - b.getTime());
  return {
    records: sum((part) => part.records),
    oldest: times((part) => part.oldest).at(0),
    newest: times((part) => part.newest).at(-1),
    bytes: sum((part) => part.bytes),
    withoutPayload: sum((part) => part.withoutPayload),
    unreadable: sum((part) => part.unreadable ?? 0),
  };
}
