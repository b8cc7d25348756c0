import { useRef } from "preact/hooks";
import type { DocsListEntry } from "../model/data.js";
import { toFragment } from "../model/share-link.js";
import { countText } from "./count-text.js";
import { FoundBy } from "./found-by.js";
import { moveByArrows } from "./move-by-arrows.js";
import { SearchBox } from "./search-box.js";
import { useFound } from "./use-found.js";

export interface DecisionSearchProps {
  readonly decisions: readonly DocsListEntry[];
  readonly apiKey: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

interface DecisionListProps extends DecisionSearchProps {
  readonly current: string;
  readonly loading: boolean;
}

/** All decisions beside the open one. Draws every link; the browser skips those that are out of sight. */
export function DecisionList({ decisions, apiKey, query, onQuery, current, loading }: DecisionListProps) {
  const list = useRef<HTMLUListElement>(null);
  const found = useFound(decisions, query, apiKey);
  const move = (event: KeyboardEvent) => moveByArrows(event, list.current);
  return (
    <nav class="list" aria-label="Decisions">
      <SearchBox query={query} onQuery={onQuery} onKeyDown={move} placeholder="Search decisions" />
      <p class="count" role="status">
        {loading ? "Loading…" : countText(found.length, decisions.length)}
      </p>
      <ul ref={list}>
        {found.map(({ entry: { id, version, versions = [], description }, reasons }) => (
          <li key={id}>
            <a href={toFragment(id)} aria-current={id === current ? "page" : undefined} onKeyDown={move}>
              <span class="list-name">
                <span class="list-id">{id}</span>
                <span class="version">
                  {version}
                  {versions.length < 2 ? null : ` · ${versions.length} versions`}
                </span>
              </span>
              {description === undefined ? null : <span class="list-description">{description}</span>}
              <FoundBy reasons={reasons} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
