import type { DocsListEntry } from "../model/data.js";
import type { FoundBy as Reason } from "../model/find-decisions.js";
import { toFragment } from "../model/share-link.js";
import { FoundBy } from "./found-by.js";

interface DecisionCardProps {
  readonly entry: DocsListEntry;
  readonly reasons: readonly Reason[];
  /** Searches for a tag. */
  readonly onTag: (tag: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** More would make the whole row of cards tall. The search finds the others all the same. */
const mostTags = 6;

/** One decision of the overview: a link with what it is, who owns it, and how much there is to it. */
export function DecisionCard({ entry, reasons, onTag, onKeyDown }: DecisionCardProps) {
  const { id, version, versions = [], description, owner, tags = [], ruleIds } = entry;
  const ending = versions.filter(({ deprecated }) => deprecated !== undefined).length;
  return (
    <li class="decision-card">
      <div class="list-name">
        <h2>
          <a href={toFragment(id)} onKeyDown={onKeyDown}>
            {id}
          </a>
        </h2>
        <span class="version">{version}</span>
      </div>
      {description === undefined ? null : <p class="list-description">{description}</p>}
      <FoundBy reasons={reasons} />
      <p class="card-facts">
        <span>{counted(ruleIds.length, "rule")}</span>
        {versions.length < 2 ? null : <span>{counted(versions.length, "version")}</span>}
        {ending === 0 ? null : <span class="ending">{`${ending} deprecated`}</span>}
        {owner === undefined ? null : <span>{owner}</span>}
      </p>
      {tags.length === 0 ? null : (
        <p class="card-tags">
          {tags.slice(0, mostTags).map((tag) => (
            <button
              key={tag}
              type="button"
              class="tag"
              aria-label={`Search ${tag}`}
              onClick={() => onTag(tag)}
            >
              {tag}
            </button>
          ))}
          {tags.length > mostTags ? <span>{`${tags.length - mostTags} more`}</span> : null}
        </p>
      )}
    </li>
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
