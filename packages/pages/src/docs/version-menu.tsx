import { toFragment } from "../model/call.js";
import type { DocsDeprecation, DocsListEntry, DocsVersion } from "../model/data.js";
import { Icon } from "../parts/controls.js";

interface DeprecationNoteProps {
  readonly version: string;
  readonly deprecated: DocsDeprecation;
}

/** When a version goes away, and where to read about it. */
export function DeprecationNote({ version, deprecated: { since, sunset, link } }: DeprecationNoteProps) {
  const began = Date.parse(since) <= Date.now() ? "has been deprecated since" : "will be deprecated on";
  const page = link === undefined ? undefined : webPage(link);
  return (
    <p class="deprecated">
      <Icon name="warn" />
      <span>
        Version {version} {began} <time dateTime={since}>{dateOf(since)}</time>.
        {sunset === undefined ? null : (
          <>
            {" "}
            Its sunset is on <time dateTime={sunset}>{dateOf(sunset)}</time>; after that it may stop replying.
          </>
        )}
        {page === undefined ? null : (
          <>
            {" "}
            <a href={page} rel="noreferrer">
              Read about this deprecation
            </a>
          </>
        )}
      </span>
    </p>
  );
}

/** The day of an instant, in UTC. */
function dateOf(iso: string): string {
  return iso.slice(0, 10);
}

/** The address of a page of the web, or nothing where a link leads somewhere else. */
function webPage(link: string): string | undefined {
  try {
    const { protocol, href } = new URL(link, location.href);
    return protocol === "https:" || protocol === "http:" ? href : undefined;
  } catch {
    return undefined;
  }
}

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
