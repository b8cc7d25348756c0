import type { DocsDeprecation } from "../model/data.js";
import { Icon } from "../parts/icons.js";

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
export function dateOf(iso: string): string {
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
