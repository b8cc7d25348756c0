import { isObject } from "../json/values.js";
import { Removed, removedText } from "../model/trace.js";
import { Icon } from "../parts/controls.js";
import type { Difference } from "./differences.js";

const words = { same: "Same", changed: "Changed", unknown: "Not known", reworded: "Reworded" } as const;

const icons = { same: "check", changed: "change", unknown: "warn", reworded: "change" } as const;

interface DifferenceTableProps {
  /** For screen readers. */
  readonly caption: string;
  /** What the two sides are. */
  readonly left: string;
  readonly right: string;
  readonly differences: readonly Difference[];
}

/** Two sides, line by line, with a word for what became of each line. */
export function DifferenceTable({ caption, left, right, differences }: DifferenceTableProps) {
  return (
    <table class="differences">
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">What</span>
          </th>
          <th scope="col">{left}</th>
          <th scope="col">{right}</th>
          <th scope="col">
            <span class="hidden">Difference</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ part, name, left: one, right: other, state }) => (
          <tr key={`${part} ${name}`} class={state}>
            <th scope="row">
              {part === undefined ? null : <span class="difference-part">{part} </span>}
              {name}
            </th>
            <td data-side={left}>
              <ShownValue value={one} />
            </td>
            <td data-side={right}>
              <ShownValue value={other} />
            </td>
            <td>
              <span class="difference">
                <Icon name={icons[state]} />
                <span>{words[state]}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ShownValue({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="absent">none</span>;
  if (value instanceof Removed) return <em class="removed">{removedText}</em>;
  if (typeof value === "string") return <span>{value === "" ? "(empty)" : value}</span>;
  return <code>{isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)}</code>;
}
