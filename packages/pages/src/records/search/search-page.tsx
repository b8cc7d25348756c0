import type { DecisionInfo } from "@decern/core";
import { useEffect, useRef } from "preact/hooks";
import { toRecordFragment, toSearchFragment } from "../model/records-route.js";
import type { Search } from "../model/search.js";
import { useSearch } from "../service/use-search.js";
import { ResultList } from "./result-list.js";
import { SearchForm } from "./search-form.js";

interface SearchPageProps {
  readonly search: Search;
  /** Whether it is in sight. While a record is open, what was found stays here. */
  readonly isOpen: boolean;
  readonly decisions: readonly DecisionInfo[];
  readonly apiKey: string;
}

/** The search and what it found. */
export function SearchPage({ search, isOpen, decisions, apiKey }: SearchPageProps) {
  const results = useSearch(search, apiKey);
  const { found } = results;
  const opened = useRef<HTMLElement>(null);
  // Coming back, the reader continues where they were.
  useEffect(() => {
    if (!isOpen) return;
    opened.current?.focus();
    opened.current = null;
  }, [isOpen]);

  // There is at most one record with a given id, and it replaces the search in the history: going back must not lead here again.
  const only =
    found.state === "ready" && found.value.foundAs === "record" ? found.value.records[0] : undefined;
  const onlyId = isOpen ? only?.recordId : undefined;
  useEffect(() => {
    if (onlyId !== undefined) location.replace(toRecordFragment(onlyId));
  }, [onlyId]);

  return (
    <main class="page" id={isOpen ? "main" : undefined} tabIndex={-1} hidden={!isOpen}>
      <h1>Records</h1>
      <SearchForm
        search={search}
        decisions={decisions}
        onSearch={(next) => {
          const address = toSearchFragment(next);
          if (address === toSearchFragment(search)) results.again();
          else location.hash = address;
        }}
      />
      <ResultList
        search={search}
        results={results}
        onOpen={(link) => {
          opened.current = link;
        }}
      />
    </main>
  );
}
