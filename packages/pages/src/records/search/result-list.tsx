import { useRef } from "preact/hooks";
import { Icon } from "../../parts/icons.js";
import { toSearchFragment } from "../model/records-route.js";
import { everything, type Search } from "../model/search.js";
import type { Found } from "../service/records-api.js";
import type { Results } from "../service/use-search.js";
import { ResultTable } from "./result-table.js";

interface ResultListProps {
  readonly search: Search;
  readonly results: Results;
  /** Called with the link when a record is opened. */
  readonly onOpen: (link: HTMLElement) => void;
}

/** What a search found, or why it found nothing. */
export function ResultList({ search, results, onOpen }: ResultListProps) {
  const { found, isLoadingMore, problem, more, again } = results;
  const table = useRef<HTMLTableElement>(null);
  const records = found.state === "ready" ? found.value.records : [];
  const hasNext = found.state === "ready" && found.value.next !== null;
  return (
    <section class="results" aria-label="Results">
      <p class="count" role="status">
        {found.state === "loading" ? "Searching…" : found.state === "ready" ? countText(found.value) : ""}
      </p>
      {found.state === "failed" ? (
        <div class="card missing">
          <h2>{found.status === 403 ? "Access denied" : "Couldn't search"}</h2>
          <p role="alert">{found.message}</p>
          <button type="button" class="quiet" onClick={again}>
            Try again
          </button>
        </div>
      ) : null}
      {found.state === "ready" && records.length === 0 ? <Nothing search={search} /> : null}
      {records.length === 0 ? null : <ResultTable records={records} tableRef={table} onOpen={onOpen} />}
      {problem === undefined ? null : (
        <p class="field-error" role="alert">
          <Icon name="warn" />
          <span>{problem}</span>
        </p>
      )}
      {hasNext ? (
        <button
          type="button"
          class="quiet more"
          aria-disabled={isLoadingMore}
          onClick={() =>
            // The button may be gone afterwards, so the focus goes to the first record that was added.
            more(({ recordId }) =>
              requestAnimationFrame(() =>
                table.current?.querySelector<HTMLElement>(`[data-record="${CSS.escape(recordId)}"]`)?.focus(),
              ),
            )
          }
        >
          {isLoadingMore ? "Loading…" : "Load more"}
        </button>
      ) : null}
    </section>
  );
}

function Nothing({ search }: { readonly search: Search }) {
  const address = toSearchFragment(search);
  return (
    <div class="card missing">
      <h2>No records</h2>
      {address === toSearchFragment(everything) ? (
        <p>Nothing has been recorded yet.</p>
      ) : (
        <p>
          Nothing that is kept matches this search. Days are in UTC, and old records may have been deleted.{" "}
          <a href={toSearchFragment(everything)}>Show the newest records</a>
        </p>
      )}
    </div>
  );
}

const names = { record: "record id", request: "request id", person: "person" } as const;

function countText({ records, next, foundAs }: Found): string {
  const count = records.length === 1 ? "1 record" : `${records.length} records`;
  const shown = next === null ? count : `The newest ${count}`;
  return foundAs === undefined ? `${shown}` : `${shown}, found by ${names[foundAs]}`;
}
