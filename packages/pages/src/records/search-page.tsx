import type { DecisionInfo } from "@decern/core";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RecordSummary } from "../model/data.js";
import { localTime } from "../model/dates.js";
import { Choice, download, Icon, QuietButton } from "../parts/controls.js";
import { failureText, loadCatalogue, useLoaded } from "../service/api.js";
import { asCsv, asNdjson } from "./as-text.js";
import type { Suggestions } from "./filters.js";
import { Nothing } from "./nothing.js";
import { type Found, loadAll, mostExported, type Results, useSearch } from "./records-api.js";
import { type Clock, ResultTable } from "./result-table.js";
import { type Search, toRecordFragment, toSearchFragment } from "./search.js";
import { SearchForm } from "./search-form.js";

interface ResultListProps extends Pick<SearchPageProps, "decisions" | "apiKey"> {
  readonly search: Search;
  readonly suggestions: Suggestions;
  readonly results: Results;
  /** Called with the link when a record is opened. */
  readonly onOpen: (link: HTMLElement) => void;
}

/** What a search found, or why it found nothing. */
function ResultList({ search, suggestions, results, decisions, apiKey, onOpen }: ResultListProps) {
  const { found, problem, again } = results;
  const table = useRef<HTMLTableElement>(null);
  const [clock, setClock] = useState<Clock>("utc");
  const records = found.state === "ready" ? found.value.records : [];
  return (
    <section class="results" aria-label="Results">
      <ResultsHead {...{ search, results, apiKey, clock }} onClock={setClock} />
      {found.state === "failed" ? (
        <div class="card missing">
          <h2>{found.status === 403 ? "Access denied" : "Couldn't search"}</h2>
          <p role="alert">{found.message}</p>
          <QuietButton onClick={again}>Try again</QuietButton>
        </div>
      ) : null}
      {found.state === "ready" && records.length === 0 ? <Nothing {...{ search, suggestions }} /> : null}
      {records.length === 0 ? null : (
        <ResultTable {...{ records, decisions, clock, onOpen }} tableRef={table} />
      )}
      {problem === undefined ? null : (
        <p class="field-error" role="alert">
          <Icon name="warn" />
          <span>{problem}</span>
        </p>
      )}
      {hasNext(found) ? <More results={results} table={table} /> : null}
    </section>
  );
}

function hasNext(found: Results["found"]): boolean {
  return found.state === "ready" && found.value.next !== null;
}

interface ResultsHeadProps extends Pick<ResultListProps, "search" | "results" | "apiKey"> {
  readonly clock: Clock;
  readonly onClock: (clock: Clock) => void;
}

/** How much was found, and as what it can be shown and saved. */
function ResultsHead({ search, results: { found, total }, apiKey, clock, onClock }: ResultsHeadProps) {
  const records = found.state === "ready" ? found.value.records : [];
  const hasLocal = records.some(({ recordedAt }) => localTime(recordedAt) !== undefined);
  return (
    <div class="results-head">
      <p class="count">
        <span role="status">
          {found.state === "loading" ? "Searching…" : found.state === "ready" ? countText(found.value) : ""}
        </span>
        {total !== undefined && hasNext(found) ? ` · ${totalText(total)} in all` : null}
      </p>
      {hasLocal ? (
        <Choice label="Times in" name="clock" options={clocks} value={clock} onChange={onClock} />
      ) : null}
      {found.state === "ready" && records.length > 0 ? (
        <Export search={search} found={found.value} apiKey={apiKey} />
      ) : null}
    </div>
  );
}

interface MoreProps extends Pick<ResultListProps, "results"> {
  readonly table: RefObject<HTMLTableElement | null>;
}

function More({ results: { isLoadingMore, more }, table }: MoreProps) {
  // The button may be gone afterwards, so the focus goes to the first record that was added.
  const focus = ({ recordId }: RecordSummary) =>
    requestAnimationFrame(() =>
      table.current?.querySelector<HTMLElement>(`[data-record="${CSS.escape(recordId)}"]`)?.focus(),
    );
  return (
    <QuietButton class="more" isOff={isLoadingMore} onClick={() => more(focus)}>
      {isLoadingMore ? "Loading…" : "Load more"}
    </QuietButton>
  );
}

interface ExportProps extends Pick<SearchPageProps, "search" | "apiKey"> {
  readonly found: Found;
}

/** Everything that the search finds, as a file: what is not on the page yet is loaded first. */
function Export({ search, found, apiKey }: ExportProps) {
  const [said, setSaid] = useState("");
  const busy = useRef(false);
  const run = async (name: string, type: string, write: (records: readonly RecordSummary[]) => string) => {
    if (busy.current) return;
    busy.current = true;
    try {
      const say = (count: number) => setSaid(`Loading… ${count.toLocaleString("en")}`);
      const records = await loadAll(search, found, apiKey, say);
      download(name, type, write(records));
      const limit = records.length >= mostExported ? "the newest " : "";
      setSaid(
        `Exported ${limit}${records.length.toLocaleString("en")} ${records.length === 1 ? "record" : "records"}`,
      );
    } catch (error) {
      setSaid(failureText(error));
    } finally {
      busy.current = false;
    }
  };
  return (
    <div class="export">
      <span role="status">{said}</span>
      <QuietButton onClick={() => void run("records.csv", "text/csv", asCsv)}>Export CSV</QuietButton>
      <QuietButton onClick={() => void run("records.ndjson", "application/x-ndjson", asNdjson)}>
        NDJSON
      </QuietButton>
    </div>
  );
}

const clocks = [
  { value: "utc", label: "UTC" },
  { value: "local", label: "Local time" },
] as const;

function totalText({ records, isExact }: NonNullable<Found["total"]>): string {
  return `${isExact ? "" : "more than "}${records.toLocaleString("en")}`;
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

/** What the filters may be: what the service has, and what was found. */
function useSuggestions(records: readonly RecordSummary[], decision: string, apiKey: string): Suggestions {
  // A service without a docs page has no such list.
  const catalogue = useLoaded(() => loadCatalogue(apiKey), apiKey);
  return useMemo(() => {
    const all = catalogue.state === "ready" ? catalogue.value.decisions : [];
    const served = all.filter(({ id }) => decision === "" || id === decision);
    const distinct = (values: readonly (string | undefined)[]) => [
      ...new Set(values.filter((value) => value !== undefined)),
    ];
    return {
      rule: distinct([...served.flatMap(({ ruleIds }) => ruleIds), ...records.map((one) => one.matchedRule)]),
      version: distinct([
        ...served.flatMap(({ version, versions = [] }) => [version, ...versions.map((one) => one.version)]),
        ...records.map((one) => one.decision.version),
      ]),
      caller: distinct(records.map((one) => one.caller)),
    };
  }, [catalogue, records, decision]);
}

/** The search and what it found. */
export function SearchPage({ search, isOpen, decisions, apiKey }: SearchPageProps) {
  const results = useSearch(search, apiKey);
  const { found } = results;
  const suggestions = useSuggestions(
    found.state === "ready" ? found.value.records : [],
    search.decision,
    apiKey,
  );
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
        suggestions={suggestions}
        onSearch={(next) => {
          const address = toSearchFragment(next);
          if (address === toSearchFragment(search)) results.again();
          else location.hash = address;
        }}
      />
      <ResultList
        {...{ search, suggestions, results, decisions, apiKey }}
        onOpen={(link) => {
          opened.current = link;
        }}
      />
    </main>
  );
}
