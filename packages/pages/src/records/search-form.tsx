import type { DecisionInfo } from "@decern/core";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../parts/controls.js";
import { everything, filterCount, type Search, statuses, type TextKind, toSearchFragment } from "./search.js";

interface FiltersProps {
  readonly search: Search;
  /** How many are set. */
  readonly count: number;
  readonly decisions: readonly DecisionInfo[];
  readonly onChange: (search: Search) => void;
  readonly onClear: () => void;
}

/** The conditions apart from the search box. Open at first where there is room for them. */
function Filters({ search, count, decisions, onChange, onClear }: FiltersProps) {
  const [isOpen, setOpen] = useState(() => matchMedia("(min-width: 761px)").matches);
  const { decision } = search;
  const isListed = decision === "" || decisions.some(({ id }) => id === decision);
  const set = (name: keyof Search) => (value: string) => onChange({ ...search, [name]: value });
  return (
    <details class="filters" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Filters
        {count === 0 ? null : (
          <span class="count-tag">
            {count}
            <span class="hidden"> set</span>
          </span>
        )}
      </summary>
      <div class="filter-grid">
        <DayFilter label="From (UTC)" value={search.from} onChange={set("from")} />
        <DayFilter label="To (UTC)" value={search.to} onChange={set("to")} />
        <label class="filter">
          <span>Decision</span>
          <select value={decision} onChange={(event) => set("decision")(event.currentTarget.value)}>
            <option value="">Any</option>
            {decisions.map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
            {isListed ? null : <option value={decision}>{decision} (not served)</option>}
          </select>
        </label>
        <TextFilter label="Version" value={search.version} onChange={set("version")} />
        <label class="filter">
          <span>Outcome</span>
          <select value={search.status} onChange={(event) => set("status")(event.currentTarget.value)}>
            <option value="">Any</option>
            {statuses.map((status) => (
              <option key={status} value={status}>
                {status.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        </label>
        <TextFilter label="Rule" value={search.rule} onChange={set("rule")} />
        <TextFilter label="Caller" value={search.caller} onChange={set("caller")} />
        <button type="button" class="quiet" onClick={onClear}>
          Clear all
        </button>
      </div>
    </details>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function DayFilter({ label, value, onChange }: FilterProps) {
  return (
    <label class="filter">
      <span>{label}</span>
      <input type="date" value={value} onInput={(event) => onChange(event.currentTarget.value)} />
    </label>
  );
}

function TextFilter({ label, value, onChange }: FilterProps) {
  return (
    <label class="filter">
      <span>{label}</span>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

interface SearchFormProps {
  /** The one that the results are of. */
  readonly search: Search;
  readonly decisions: readonly DecisionInfo[];
  readonly onSearch: (search: Search) => void;
}

const kinds: readonly { readonly value: TextKind; readonly label: string }[] = [
  { value: "any", label: "Any id" },
  { value: "record", label: "Record id" },
  { value: "request", label: "Request id" },
  { value: "person", label: "Person" },
];

/** What to search for. Nothing is looked up before the form is sent, because the service logs each look-up. */
export function SearchForm({ search, decisions, onSearch }: SearchFormProps) {
  const [draft, setDraft] = useState(search);
  const address = toSearchFragment(search);
  // The address may also change by going back.
  useEffect(() => setDraft(search), [address]);
  const count = filterCount(draft);
  return (
    <search aria-label="Records">
      <form
        class="search-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(trimmed(draft));
        }}
      >
        <div class="search-row">
          <label class="menu">
            <span class="hidden">Search for</span>
            <select
              value={draft.kind}
              onChange={({ currentTarget: { value } }) =>
                setDraft({ ...draft, kind: kinds.find((kind) => kind.value === value)?.value ?? "any" })
              }
            >
              {kinds.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <div class="search">
            <Icon name="search" />
            <input
              type="search"
              aria-label="Record id, request id or person"
              placeholder="Record id, request id or person"
              autocomplete="off"
              spellcheck={false}
              value={draft.text}
              onInput={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
            />
          </div>
          <button type="submit" class="primary">
            Search
          </button>
        </div>
        <Filters
          search={draft}
          count={count}
          decisions={decisions}
          onChange={setDraft}
          onClear={() => onSearch(everything)}
        />
      </form>
    </search>
  );
}

function trimmed(search: Search): Search {
  const { text, version, rule, caller } = search;
  return { ...search, text: text.trim(), version: version.trim(), rule: rule.trim(), caller: caller.trim() };
}
