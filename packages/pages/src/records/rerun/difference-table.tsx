import { isObject } from "../../model/json.js";
import { Removed, removedText } from "../../model/removed.js";
import { Icon } from "../../parts/icons.js";
import type { Difference } from "../model/differences.js";

const words = { same: "Same", changed: "Changed", unknown: "Not known" } as const;
const icons = { same: "check", changed: "change", unknown: "warn" } as const;

/** Every place of two outcomes, with a word for what became of it. */
export function DifferenceTable({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <table class="differences">
      <caption class="hidden">The outcome as recorded, and as evaluated again</caption>
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">As recorded</th>
          <th scope="col">Evaluated again</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ name, before, after, state }) => (
          <tr key={name} class={state}>
            <th scope="row">{name.startsWith("/") ? <code>{name}</code> : name}</th>
            <td data-side="As recorded">
              <Side value={before} />
            </td>
            <td data-side="Evaluated again">
              <Side value={after} />
            </td>
            <td>
              <span class="difference">
                <Icon name={icons[state]} />
                {words[state]}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="absent">(nothing)</span>;
  if (value instanceof Removed) return <em class="removed">{removedText}</em>;
  if (typeof value === "string") return <span>{value === "" ? "(empty)" : value}</span>;
  return <code>{isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)}</code>;
}
