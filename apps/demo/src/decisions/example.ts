import type { ResultStatus } from "@decern/core";

/** A worked example of a decision: `meta.examples` lists them, and the docs page offers them. */
export interface Example {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Left out, the default profile. */
  readonly profile?: Readonly<Record<string, unknown>>;
  /** What comes out; a test holds every example to it. */
  readonly expect: { readonly status: ResultStatus; readonly matchedRule?: string };
}
