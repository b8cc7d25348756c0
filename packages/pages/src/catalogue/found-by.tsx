import { type FoundBy as Reason, textOf } from "../model/find-decisions.js";

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
