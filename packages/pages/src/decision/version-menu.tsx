import type { DocsListEntry, DocsVersion } from "../model/data.js";
import { toFragment } from "../model/share-link.js";
import { dateOf } from "./deprecation-note.js";

interface VersionMenuProps {
  readonly entry: DocsListEntry;
  /** Undefined while the service chooses the version. */
  readonly version: string | undefined;
}

/** Every version that is served. Choosing one changes the address. */
export function VersionMenu({ entry, version }: VersionMenuProps) {
  const { id, version: standard, versions = [], selects = false } = entry;
  if (versions.length < 2) return <span class="version">{version ?? standard}</span>;
  const chosen = version ?? (selects ? "" : standard);
  const isServed = version === undefined || versions.some((one) => one.version === version);
  return (
    <label class="menu">
      <span>Version</span>
      <select
        value={chosen}
        onChange={({ currentTarget: { value } }) => {
          // Without `select`, the default version is what calls that name no version get.
          const isFree = value === "" || (value === standard && !selects);
          location.hash = toFragment(id, undefined, isFree ? undefined : value);
        }}
      >
        {selects ? <option value="">Let the service choose</option> : null}
        {versions.map((one) => (
          <option key={one.version} value={one.version}>
            {optionText(one)}
          </option>
        ))}
        {isServed ? null : (
          <option value={version} disabled>
            {version} (not available)
          </option>
        )}
      </select>
    </label>
  );
}

function optionText({ version, default: isDefault, deprecated }: DocsVersion): string {
  const notes = [];
  if (isDefault === true) notes.push("default");
  if (deprecated !== undefined) {
    notes.push(`deprecated ${dateOf(deprecated.since)}`);
    if (deprecated.sunset !== undefined) notes.push(`sunset ${dateOf(deprecated.sunset)}`);
  }
  return notes.length === 0 ? version : `${version} (${notes.join(", ")})`;
}
