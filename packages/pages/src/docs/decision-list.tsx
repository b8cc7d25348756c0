import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { tableType } from "../call/table-parts.js";
import { modelType } from "../dmn/model-section.js";
import { toFragment } from "../model/call.js";
import type { DocsFields, DocsListEntry } from "../model/data.js";
import {
  type FoundDecision,
  findDecisions,
  type FoundBy as Reason,
  textOf,
} from "../model/find-decisions.js";
import { settled, useListener } from "../parts/browser.js";
import { Prose } from "../parts/code.js";
import { Icon, verbatim } from "../parts/controls.js";
import { loadFields } from "../service/api.js";

interface SearchBoxProps extends Pick<DecisionSearchProps, "query" | "onQuery"> {
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly placeholder: string;
}

/** The field of the search. The `/` key leads to it from wherever one is not writing. */
function SearchBox({ query, onQuery, onKeyDown, placeholder }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (key !== "/" || ctrlKey || metaKey || altKey || isWritable(target)) return;
    // On a narrow screen there may be no search next to a decision.
    if (input.current === null || input.current.offsetParent === null) return;
    event.preventDefault();
    input.current.focus();
    input.current.select();
  });
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Search decisions"
        aria-keyshortcuts="/"
        placeholder={placeholder}
        {...verbatim}
        value={query}
        onKeyDown={(event) => {
          if (event.key === "Escape" && query !== "") {
            event.preventDefault();
            onQuery("");
          }
          onKeyDown(event);
        }}
        onInput={(event) => onQuery(event.currentTarget.value)}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </div>
  );
}

function isWritable(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "range"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** The decisions that a query finds. Loads the fields of all decisions at the first query. */
function useFound({ decisions, query, apiKey }: DecisionSearchProps): readonly FoundDecision[] {
  const [fields, setFields] = useState<DocsFields>();
  const searches = query.trim() !== "";
  useEffect(() => {
    if (!searches || fields !== undefined) return undefined;
    // The rest can be searched without them.
    return settled(loadFields(apiKey), setFields, () => {});
  }, [searches, fields, apiKey]);
  return useMemo(() => findDecisions(decisions, fields, query), [decisions, fields, query]);
}

/** Why a search found a decision. */
export function FoundBy({ reasons }: { readonly reasons: readonly Reason[] }) {
  if (reasons.length === 0) return null;
  return (
    <span class="found-by">
      {reasons.map((reason) => (
        <span key={textOf(reason)} class="tag must">
          {textOf(reason)}
        </span>
      ))}
    </span>
  );
}

/** Moves the focus from link to link of a list with the arrow keys, and from its search to the first. */
function moveByArrows(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const links = [...(list?.querySelectorAll("a") ?? [])];
  const at = links.findIndex(
    ({ href }) => document.activeElement instanceof HTMLAnchorElement && href === document.activeElement.href,
  );
  const next = at < 0 ? (step > 0 ? links[0] : undefined) : links[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** How many decisions there are, and how many of them a search found. */
function countText(found: number, all: number): string {
  if (found < all) return `${found} of ${all} decisions`;
  return counted(all, "decision");
}

/** How much there is to a decision. What a model consists of is only known once it is read. */
export function sizeText({ ruleIds, mediaType }: Pick<DocsListEntry, "ruleIds" | "mediaType">): string {
  if (mediaType === modelType) return "DMN model";
  return counted(ruleIds.length, mediaType === tableType ? "row" : "rule");
}

export function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

export interface DecisionSearchProps {
  readonly decisions: readonly DocsListEntry[];
  readonly apiKey: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly loading: boolean;
}

/** A search for decisions: its field with how many it found, and what a list of them needs. */
export function useSearch(props: DecisionSearchProps, placeholder: string) {
  const { decisions, query, onQuery, loading } = props;
  const list = useRef<HTMLUListElement>(null);
  const found = useFound(props);
  const move = (event: KeyboardEvent) => moveByArrows(event, list.current);
  const box = (
    <>
      <SearchBox {...{ query, onQuery, placeholder }} onKeyDown={move} />
      <p class="count" role="status">
        {loading ? "Loading…" : countText(found.length, decisions.length)}
      </p>
    </>
  );
  return { list, found, move, box };
}

interface DecisionListProps extends DecisionSearchProps {
  readonly current: string;
}

/** All decisions next to the open one. Draws every link; the browser skips those that are out of sight. */
export function DecisionList({ current, ...search }: DecisionListProps) {
  const { list, found, move, box } = useSearch(search, "Search decisions");
  return (
    <nav class="list" aria-label="Decisions">
      {box}
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
              {description === undefined ? null : (
                <span class="list-description">
                  <Prose text={description} />
                </span>
              )}
              <FoundBy reasons={reasons} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
