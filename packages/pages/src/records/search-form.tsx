import type { DecisionInfo } from "@decern/core";
import { useEffect, useState } from "preact/hooks";
import { Icon, verbatim } from "../parts/controls.js";
import { FilterChips, Filters, type Suggestions, wrongTimes } from "./filters.js";
import { everything, type Search, type TextKind, toSearchFragment } from "./search.js";

interface SearchFormProps {
  /** The one that the results are of. */
  readonly search: Search;
  readonly decisions: readonly DecisionInfo[];
  readonly suggestions: Suggestions;
  readonly onSearch: (search: Search) => void;
}

const kinds: readonly { readonly value: TextKind; readonly label: string }[] = [
  { value: "any", label: "Any id" },
  { value: "record", label: "Record id" },
  { value: "request", label: "Request id" },
  { value: "person", label: "Person" },
];

/** What to search for. Nothing is looked up before the form is sent, because the service logs each look-up. */
export function SearchForm({ search, decisions, suggestions, onSearch }: SearchFormProps) {
  const [draft, setDraft] = useState(search);
  const address = toSearchFragment(search);
  // The address may also change by going back.
  useEffect(() => setDraft(search), [address]);
  return (
    <search aria-label="Records">
      <form
        class="search-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (wrongTimes(draft) === undefined) onSearch(trimmed(draft));
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
              {...verbatim}
              value={draft.text}
              onInput={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
            />
          </div>
          <button type="submit" class="primary">
            Search
          </button>
        </div>
        <Filters
          suggestions={suggestions}
          search={draft}
          decisions={decisions}
          onChange={setDraft}
          onClear={() => onSearch(everything)}
        />
        <FilterChips search={search} onSearch={onSearch} />
      </form>
    </search>
  );
}

function trimmed(search: Search): Search {
  const { text, version, rule, caller } = search;
  return { ...search, text: text.trim(), version: version.trim(), rule: rule.trim(), caller: caller.trim() };
}
