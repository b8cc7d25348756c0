import type { DecisionInfo } from "@decern/core";
import { useState } from "preact/hooks";
import { endOf, startOf } from "../model/dates.js";
import { Icon, QuietButton, verbatim } from "../parts/controls.js";
import { filterCount, filterNames, isTime, type Search, statuses } from "./search.js";

/** What the text filters may be. */
export type Suggestions = Readonly<Record<"rule" | "version" | "caller", readonly string[]>>;

/** Why the times of a search can't be searched; undefined where they can. */
export function wrongTimes({ from, to }: Search): string | undefined {
  const [first, end] = [startOf(from), endOf(to)];
  return first !== undefined && end !== undefined && first >= end
    ? "must not be before the start"
    : undefined;
}

interface FiltersProps {
  readonly suggestions: Suggestions;
  readonly search: Search;
  readonly decisions: readonly DecisionInfo[];
  readonly onChange: (search: Search) => void;
  readonly onClear: () => void;
}

/** The conditions apart from the search box. Open at first where there is room for them. */
export function Filters({ search, suggestions, decisions, onChange, onClear }: FiltersProps) {
  const [isOpen, setOpen] = useState(() => matchMedia("(min-width: 761px)").matches);
  const count = filterCount(search);
  const filter = (name: (typeof filterNames)[number]) => ({
    label: filterLabels[name],
    value: search[name],
    onChange: (value: string) => onChange({ ...search, [name]: value }),
  });
  return (
    <details class="filters" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="unfolds">
        Filters
        {count === 0 ? null : (
          <span class="count-tag">
            {count}
            <span class="hidden"> set</span>
          </span>
        )}
      </summary>
      <div class="filter-grid">
        <TimeFilter {...filter("from")} />
        <TimeFilter {...filter("to")} wrong={wrongTimes(search)} />
        <MenuFilter {...filter("decision")} options={decisions.map(({ id }) => id)} />
        <TextFilter {...filter("version")} suggestions={suggestions.version} />
        <MenuFilter {...filter("status")} options={statuses} />
        <TextFilter {...filter("rule")} suggestions={suggestions.rule} />
        <TextFilter {...filter("caller")} suggestions={suggestions.caller} />
        <QuietButton onClick={onClear}>Clear all</QuietButton>
      </div>
    </details>
  );
}

const filterLabels = {
  from: "From (UTC)",
  to: "To (UTC)",
  decision: "Decision",
  version: "Version",
  status: "Outcome",
  rule: "Rule",
  caller: "Caller",
} as const;

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function MenuFilter({
  label,
  value,
  onChange,
  options,
}: FilterProps & { readonly options: readonly string[] }) {
  return (
    <label class="filter">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">Any</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {shownValue(option)}
          </option>
        ))}
        {value === "" || options.includes(value) ? null : <option value={value}>{value} (not served)</option>}
      </select>
    </label>
  );
}

/** A status in words, and a time as the results have it. */
function shownValue(value: string): string {
  if (isTime(value)) return value.replace("T", " ");
  return statuses.some((status) => status === value) ? value.replaceAll("_", " ") : value;
}

/** A day, and the minute of it that is meant where the whole day is not. */
function TimeFilter({
  label,
  value,
  onChange,
  wrong,
}: FilterProps & { readonly wrong?: string | undefined }) {
  const [day = "", time = ""] = value.split("T");
  const marks = {
    "aria-invalid": wrong !== undefined,
    "aria-describedby": wrong === undefined ? undefined : "wrong-times",
  };
  return (
    <div class="filter">
      <span aria-hidden="true">{label}</span>
      <span class="filter-times">
        <input
          type="date"
          aria-label={label}
          {...marks}
          value={day}
          onInput={({ currentTarget: { value: picked } }) => onChange(timeText(picked, time))}
        />
        <input
          type="time"
          aria-label={`${label}, time of day`}
          {...marks}
          disabled={day === ""}
          value={time}
          onInput={({ currentTarget: { value: picked } }) => onChange(timeText(day, picked))}
        />
      </span>
      {wrong === undefined ? null : (
        <span class="field-error" id="wrong-times" role="alert">
          {wrong}
        </span>
      )}
    </div>
  );
}

function timeText(day: string, time: string): string {
  return day === "" || time === "" ? day : `${day}T${time}`;
}

interface TextFilterProps extends FilterProps {
  readonly suggestions: readonly string[];
}

function TextFilter({ label, value, onChange, suggestions }: TextFilterProps) {
  const list = `suggested-${label.toLowerCase()}`;
  return (
    <label class="filter">
      <span>{label}</span>
      <datalist id={list}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <input
        type="text"
        list={list}
        {...verbatim}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

interface FilterChipsProps {
  /** The one that the results are of. */
  readonly search: Search;
  readonly onSearch: (search: Search) => void;
}

/** What the results are narrowed by, each with what takes it away. */
export function FilterChips({ search, onSearch }: FilterChipsProps) {
  const set = filterNames.filter((name) => search[name] !== "");
  if (set.length === 0) return null;
  return (
    <ul class="filter-chips" aria-label="Filters set">
      {set.map((name) => (
        <li key={name}>
          <QuietButton onClick={() => onSearch({ ...search, [name]: "" })}>
            <span class="hidden">Remove </span>
            {filterLabels[name]} <strong>{shownValue(search[name])}</strong>
            <Icon name="close" />
          </QuietButton>
        </li>
      ))}
    </ul>
  );
}
