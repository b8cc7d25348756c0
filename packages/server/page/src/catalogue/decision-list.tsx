import { useMemo, useRef, useState } from "preact/hooks";
import type { DocsListEntry } from "../../../src/docs/docs-data.js";
import { toFragment } from "../model/share-link.js";
import { Icon } from "../parts/icons.js";

interface DecisionListProps {
  readonly decisions: readonly DocsListEntry[];
  readonly current: string | undefined;
  readonly loading: boolean;
}

/** All decisions, with a search. Draws every link; the browser skips those that are out of sight. */
export function DecisionList({ decisions, current, loading }: DecisionListProps) {
  const [query, setQuery] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const found = useMemo(() => search(decisions, query), [decisions, query]);

  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.findIndex(
      ({ href }) =>
        document.activeElement instanceof HTMLAnchorElement && href === document.activeElement.href,
    );
    const next = at < 0 ? (step > 0 ? links[0] : undefined) : links[at + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <nav class="list" aria-label="Decisions">
      <h1 class="list-title">All decisions</h1>
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search decisions"
          placeholder="Search decisions"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onKeyDown={move}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </div>
      <p class="count" role="status">
        {loading ? "Loading…" : countText(found.length, decisions.length)}
      </p>
      <ul ref={list}>
        {found.map(({ id, version, versions = [], description }) => (
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
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Finds decisions that contain every word. */
function search(decisions: readonly DocsListEntry[], query: string): readonly DocsListEntry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return decisions;
  return decisions.filter(({ id, version, versions = [], description }) => {
    const others = versions.map((one) => one.version).join(" ");
    const text = `${id} ${version} ${others} ${description ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function countText(found: number, all: number): string {
  if (found < all) return `${found} of ${all} decisions`;
  return all === 1 ? "1 decision" : `${all} decisions`;
}
