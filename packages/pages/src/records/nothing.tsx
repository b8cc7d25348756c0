import type { Suggestions } from "./filters.js";
import { everything, type Search, toSearchFragment } from "./search.js";

/** More would be a list to read. */
const mostMeant = 3;

/** Filters are matched in full: searches with what is there in place of a part of it. */
function meant(search: Search, suggestions: Suggestions): readonly (readonly [string, Search])[] {
  return (["rule", "version", "caller"] as const)
    .filter((name) => search[name] !== "")
    .flatMap((name) =>
      suggestions[name]
        .filter((one) => one !== search[name] && one.includes(search[name]))
        .map((one) => [one, { ...search, [name]: one }] as const),
    )
    .slice(0, mostMeant);
}

interface NothingProps {
  readonly search: Search;
  readonly suggestions: Suggestions;
}

/** Why a search has found nothing, and what it may have meant. */
export function Nothing({ search, suggestions }: NothingProps) {
  const others = meant(search, suggestions);
  const address = toSearchFragment(search);
  return (
    <div class="card missing">
      <h2>No records</h2>
      {address === toSearchFragment(everything) ? (
        <p>The service finds none: nothing has been recorded yet, or old records have been deleted.</p>
      ) : (
        <p>
          Nothing that is kept matches this search. Times are in UTC, and old records may have been deleted.{" "}
          <a href={toSearchFragment(everything)}>Show the newest records</a>
        </p>
      )}
      {others.length === 0 ? null : (
        <p>
          Filters are matched in full. Look for{" "}
          {others.map(([name, other], index) => [
            index === 0 ? "" : ", ",
            <a key={name} href={toSearchFragment(other)}>
              {name}
            </a>,
          ])}
          ?
        </p>
      )}
    </div>
  );
}
