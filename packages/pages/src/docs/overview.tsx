import { toFragment } from "../model/call.js";
import type { DocsLinks, DocsListEntry } from "../model/data.js";
import type { FoundBy as Reason } from "../model/find-decisions.js";
import { Prose } from "../parts/code.js";
import { QuietButton } from "../parts/controls.js";
import { ServiceLinks } from "../parts/page-head.js";
import { counted, type DecisionSearchProps, FoundBy, sizeText, useSearch } from "./decision-list.js";

interface DecisionCardProps {
  readonly entry: DocsListEntry;
  readonly reasons: readonly Reason[];
  /** Searches for a tag. */
  readonly onTag: (tag: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** More would make the whole row of cards tall. The search finds the others all the same. */
const mostTags = 6;

/** One decision of the overview: a link with what it is, who owns it, and how much there is to it. */
function DecisionCard({ entry, reasons, onTag, onKeyDown }: DecisionCardProps) {
  const { id, version, versions = [], description, owner, tags = [] } = entry;
  const ending = versions.filter(({ deprecated }) => deprecated !== undefined).length;
  return (
    <li class="decision-card">
      <div class="list-name">
        <h2>
          <a href={toFragment(id)} onKeyDown={onKeyDown}>
            {id}
          </a>
        </h2>
        <span class="version">{version}</span>
      </div>
      {description === undefined ? null : (
        <p class="list-description">
          <Prose text={description} />
        </p>
      )}
      <FoundBy reasons={reasons} />
      <p class="card-facts">
        <span>{sizeText(entry)}</span>
        {versions.length < 2 ? null : <span>{counted(versions.length, "version")}</span>}
        {ending === 0 ? null : <span class="ending">{`${ending} deprecated`}</span>}
        {owner === undefined ? null : <span>{owner}</span>}
      </p>
      {tags.length === 0 ? null : (
        <p class="card-tags">
          {tags.slice(0, mostTags).map((tag) => (
            <button
              key={tag}
              type="button"
              class="tag"
              aria-label={`Search ${tag}`}
              onClick={() => onTag(tag)}
            >
              {tag}
            </button>
          ))}
          {tags.length > mostTags ? <span>{`${tags.length - mostTags} more`}</span> : null}
        </p>
      )}
    </li>
  );
}

interface OverviewProps extends DecisionSearchProps {
  readonly links: DocsLinks;
}

/** All decisions of the service, and a search through them. */
export function Overview({ links, ...search }: OverviewProps) {
  const { decisions, query, onQuery, loading } = search;
  const { list, found, move, box } = useSearch(search, "Search names, owners, tags, rules and fields");
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
        <search class="overview-search">{box}</search>
      )}
      {found.length === 0 && decisions.length > 0 ? (
        <div class="nothing-found">
          <p>
            Nothing found for <q>{query.trim()}</q>. The search looks for each word in ids, descriptions,
            owners, tags, versions, rules and fields.
          </p>
          <QuietButton onClick={() => onQuery("")}>Clear the search</QuietButton>
        </div>
      ) : null}
      {loading ? (
        <div class="cards skeleton" aria-hidden="true">
          <div class="card" />
          <div class="card" />
          <div class="card" />
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
