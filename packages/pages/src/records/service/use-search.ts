import { useRef, useState } from "preact/hooks";
import type { RecordSummary } from "../../model/data.js";
import { ApiError } from "../../service/api.js";
import { type Loaded, useLoaded } from "../../service/use-loaded.js";
import { toSearchFragment } from "../model/records-route.js";
import type { Search } from "../model/search.js";
import { type Found, loadFirst, loadMore } from "./records-api.js";

/** What a search has found so far. */
export interface Results {
  readonly found: Loaded<Found>;
  /** Whether the next page is under way. */
  readonly isLoadingMore: boolean;
  /** Why the next page did not load. */
  readonly problem: string | undefined;
  /** Adds the next page. @param onAdded - gets the first record that was added */
  more(onAdded: (first: RecordSummary) => void): void;
  /** Searches for the same again. */
  again(): void;
}

/** The pages after the first. */
interface Rest {
  /** The search that they belong to. */
  readonly id: string;
  readonly records: readonly RecordSummary[];
  readonly next: string | null;
  readonly isLoading: boolean;
  readonly problem?: string | undefined;
}

/** Searches when the search changes, newest first, a page at a time. */
export function useSearch(search: Search, key: string): Results {
  const [round, setRound] = useState(0);
  const [added, setAdded] = useState<Rest>();
  const id = `${round} ${key} ${toSearchFragment(search)}`;
  const latest = useRef(id);
  latest.current = id;
  const first = useLoaded(() => loadFirst(search, key), id);
  const rest = added?.id === id ? added : undefined;
  const found = first.state === "ready" && rest !== undefined ? withRest(first.value, rest) : first;

  const more = async (onAdded: (record: RecordSummary) => void) => {
    if (found.state !== "ready" || found.value.next === null || rest?.isLoading === true) return;
    const soFar = { id, records: rest?.records ?? [], next: found.value.next };
    setAdded({ ...soFar, isLoading: true });
    const settle = (settled: Omit<Rest, "id" | "isLoading">) => {
      if (latest.current === id) setAdded({ id, isLoading: false, ...settled });
    };
    try {
      const [records, next] = await loadMore(search, found.value, key);
      settle({ records: [...soFar.records, ...records], next });
      const newest = records[0];
      if (newest !== undefined && latest.current === id) onAdded(newest);
    } catch (error) {
      settle({
        ...soFar,
        problem: error instanceof ApiError ? error.message : "Couldn't reach the service",
      });
    }
  };
  return {
    found,
    isLoadingMore: rest?.isLoading === true,
    problem: rest?.problem,
    more: (onAdded) => void more(onAdded),
    again: () => setRound(round + 1),
  };
}

function withRest(first: Found, { records, next }: Rest): Loaded<Found> {
  return { state: "ready", value: { ...first, records: [...first.records, ...records], next } };
}
