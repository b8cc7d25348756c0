import { useRef } from "preact/hooks";
import type { DocsLinks } from "../model/data.js";
import { ServiceLinks } from "../parts/service-links.js";
import { countText } from "./count-text.js";
import { DecisionCard } from "./decision-card.js";
import type { DecisionSearchProps } from "./decision-list.js";
import { moveByArrows } from "./move-by-arrows.js";
import { SearchBox } from "./search-box.js";
import { useFound } from "./use-found.js";

interface OverviewProps extends DecisionSearchProps {
  readonly loading: boolean;
  readonly links: DocsLinks;
}

/** All decisions of the service, and a search through them. */
export function Overview({ decisions, apiKey, query, onQuery, loading, links }: OverviewProps) {
  const list = useRef<HTMLUListElement>(null);
  const found = useFound(decisions, query, apiKey);
  const move = (event: KeyboardEvent) => moveByArrows(event, list.current);
  const isEmpty = decisions.length === 0 && !loading;
  return (
    <main class="overview" id="main" tabIndex={-1}>
      <header class="overview-head">
        <h1>Decisions</h1>
        {isEmpty ? null : <p class="lead">Find a decision, see its rules, and try it.</p>}
        <ServiceLinks links={links} />
      </header>
      {isEmpty ? (
        <div class="card nothing-yet">
          <h2>This service has no decisions</h2>
          <p class="empty">
            Add them to the <code>decisions</code> of the service and start it again.
          </p>
        </div>
      ) : (
        <search class="overview-search">
          <SearchBox
            query={query}
            onQuery={onQuery}
            onKeyDown={move}
            placeholder="Search names, owners, tags, rules and fields"
          />
          <p class="count" role="status">
            {loading ? "Loading…" : countText(found.length, decisions.length)}
          </p>
        </search>
      )}
      {found.length === 0 && decisions.length > 0 ? (
        <div class="nothing-found">
          <p>
            Nothing found for <q>{query.trim()}</q>. The search looks for each word in ids, descriptions,
            owners, tags, versions, rules and fields.
          </p>
          <button type="button" class="quiet" onClick={() => onQuery("")}>
            Clear the search
          </button>
        </div>
      ) : null}
      <ul ref={list} class="cards" aria-label="Decisions">
        {found.map(({ entry, reasons }) => (
          <DecisionCard key={entry.id} entry={entry} reasons={reasons} onTag={onQuery} onKeyDown={move} />
        ))}
      </ul>
    </main>
  );
}
