import type { DecisionInfo } from "@decern/core";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { RecordSummary } from "../model/data.js";
import { utcTime } from "../model/dates.js";
import { toneOf } from "../model/reply.js";
import { Icon } from "../parts/controls.js";
import { type Found, type Results, useSearch } from "./records-api.js";
import { everything, type Search, toRecordFragment, toSearchFragment } from "./search.js";
import { SearchForm } from "./search-form.js";

interface ResultTableProps {
  readonly records: readonly RecordSummary[];
  readonly tableRef: RefObject<HTMLTableElement | null>;
  readonly onOpen: (link: HTMLElement) => void;
}

/** Records, one a row. The whole row is a link. */
function ResultTable({ records, tableRef, onOpen }: ResultTableProps) {
  return (
    <table class="result-table" ref={tableRef}>
      <caption class="hidden">Records, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col">Decision</th>
          <th scope="col">Outcome</th>
          <th scope="col">Caller</th>
          <th scope="col">Request</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <Row key={record.recordId} record={record} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<ResultTableProps, "onOpen"> {
  readonly record: RecordSummary;
}

function Row({ record, onOpen }: RowProps) {
  const { recordId, recordedAt, decision, status, matchedRule, errorCode, caller, requestId } = record;
  const reason = matchedRule ?? errorCode;
  return (
    <tr>
      <th scope="row">
        <a
          href={toRecordFragment(recordId)}
          data-record={recordId}
          onClick={(event) => onOpen(event.currentTarget)}
        >
          <time dateTime={recordedAt}>{utcTime(recordedAt)}</time>
        </a>
      </th>
      <td class="result-decision">
        <span class="list-id">{decision.id}</span> <span class="version">{decision.version}</span>{" "}
        {record.selectedBy === "shadow" ? <span class="tag">shadow</span> : null}
      </td>
      <td class="result-outcome">
        <strong class={`used-status ${toneOf(status)}`}>{status.replaceAll("_", " ")}</strong>{" "}
        {reason === undefined ? null : <code>{reason}</code>}{" "}
        {record.hasPayload ? null : <span class="tag">no data</span>}
      </td>
      <td class="result-caller">{caller ?? ""}</td>
      <td class="result-request">
        <code>{requestId}</code>
      </td>
    </tr>
  );
}

interface ResultListProps {
  readonly search: Search;
  readonly results: Results;
  /** Called with the link when a record is opened. */
  readonly onOpen: (link: HTMLElement) => void;
}

/** What a search found, or why it found nothing. */
function ResultList({ search, results, onOpen }: ResultListProps) {
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
