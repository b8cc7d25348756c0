import type { ResultStatus } from "@decern/core";

/** A worked example of a decision: `meta.examples` lists them, and the docs page offers them. */
export interface Example {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** @default the default profile */
  readonly profile?: Readonly<Record<string, unknown>>;
  /** The expected outcome, which a test checks for every example. */
  readonly expect: { readonly status: ResultStatus; readonly matchedRule?: string };
}
