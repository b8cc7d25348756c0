import type { Awaitable, Identity } from "@decern/core";

/** What the docs page offers besides reading and trying decisions. */
export interface DocsPageOptions<Caller extends Identity = Identity> {
  /** Takes the draft of a table that somebody edited on the page. @default drafts can only be downloaded */
  readonly publish?: PublishDraft<Caller> | undefined;
}

/**
 * Takes a draft, such as into a pull request. Nothing is activated by itself.
 *
 * Who may look at records, as `records` says, may hand over drafts. The draft keeps to its contract when this is called, except that
 * rows of more than 1,000 are not compared with one another: only a load does that.
 *
 * @param caller - what `authenticate` returned; `undefined` if that was `true`
 * @returns what the page tells the person
 * @throws an error with a `statusCode` from 400 to 499 is shown to the person; anything else is an error: 500, logged
 */
export type PublishDraft<Caller extends Identity = Identity> = (
  draft: TableDraft,
  caller: Caller | undefined,
) => Awaitable<PublishedDraft | undefined>;

/** The draft of a decision's table. */
export interface TableDraft {
  /** The decision's. */
  readonly id: string;
  /** The draft's own. */
  readonly version: string;
  /** For a file, such as `shipping-fee.json`. */
  readonly name: string;
  /** Of `document`, such as `application/vnd.decern.table+json`. */
  readonly mediaType: string;
  /** In its canonical form: JSON that `watchDecisions` and `readTable` take. */
  readonly document: unknown;
  /** `sha256:` and 64 hexadecimal digits: what records of this table would have as `contentHash`. */
  readonly contentHash: string;
  /** The `contentHash` of the table that the draft was made of. The service may serve a newer one by now. */
  readonly basedOn: string | undefined;
  /** The `contentHash` of the table that is served. */
  readonly served: string;
}

/** What became of a draft. */
export interface PublishedDraft {
  /** For the person who handed it over, up to 1,000 characters. */
  readonly message?: string | undefined;
  /** Where it is now, such as a pull request: `https:` or `http:`. */
  readonly url?: string | undefined;
}
