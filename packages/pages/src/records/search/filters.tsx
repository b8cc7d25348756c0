import type { DecisionInfo } from "@decern/core";
import { useState } from "preact/hooks";
import { type Search, statuses } from "../model/search.js";

interface FiltersProps {
  readonly search: Search;
  /** How many are set. */
  readonly count: number;
  readonly decisions: readonly DecisionInfo[];
  readonly onChange: (search: Search) => void;
  readonly onClear: () => void;
}

/** The conditions apart from the search box. Open at first where there is room for them. */
export function Filters({ search, count, decisions, onChange, onClear }: FiltersProps) {
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
