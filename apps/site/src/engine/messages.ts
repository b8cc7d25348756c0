import type { DocsContent, DocsDecision } from "@decern/pages";
import type { PlaygroundCall, TableText } from "../base/state.js";

/** What the engine evaluates. */
export interface Source {
  readonly module: string;
  readonly table?: TableText | undefined;
}

/** What the page asks of the engine. */
export type Asked =
  | { readonly kind: "open"; readonly source: Source }
  | { readonly kind: "evaluate"; readonly index: number; readonly call: PlaygroundCall };

/** A decision that a module defines. */
export interface OpenedDecision extends DocsDecision {
  /** Of a decision that a table makes. */
  readonly content?: DocsContent;
}

/** Something that the author has to change. */
export interface Mistake {
  readonly message: string;
  /** In the module, from 1. Absent where it is in the table, or not known. */
  readonly line?: number;
}

/** What the engine returns, as JSON. Either `decisions`, `result` or `mistake` is there. */
export interface Told {
  readonly decisions?: readonly OpenedDecision[];
  /** The envelope of an evaluation. */
  readonly result?: unknown;
  readonly mistake?: Mistake;
  /** What the module has written to the console since the last message, one entry per call. */
  readonly console: readonly string[];
}
