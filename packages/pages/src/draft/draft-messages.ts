import type { DecisionRecord, DecisionSchema } from "@decern/core";
import type {
  TableAnalysis,
  TableCall,
  TableDocument,
  TableProblem,
  TableResult,
} from "@decern/table/browser";
import type { DocsContent } from "../model/data.js";
import type { Draft } from "./draft.js";
import type { Judged } from "./judge-record.js";

/** What a page sends the worker of a draft: the served table, then what changed of the draft, then questions. */
export type ToDraftWorker = OpenedDraft | ChangedDraft | AskedOfDraft;

/** The served table that a draft is made of. */
export interface OpenedDraft {
  readonly kind: "edit";
  readonly id: string;
  readonly content: DocsContent;
  /** Of what callers send. */
  readonly schemas: Pick<DecisionSchema, "inputSchema" | "profileSchema">;
}

/** A draft, of which only the rows are sent that the worker does not have. */
export interface ChangedDraft {
  readonly kind: "draft";
  readonly head: Draft["head"];
  /** The stamps of its rows, in order. */
  readonly order: readonly number[];
  readonly rows: readonly (readonly [stamp: number, values: readonly string[]])[];
  readonly otherwise: Draft["otherwise"];
}

/** A record, and the profile that it was made under. */
interface RecordToJudge {
  readonly record: DecisionRecord;
  readonly profile: unknown;
}

/** The replies to questions, by their kind. */
export interface DraftReplies {
  /** What is wrong with the draft; else the hash of its content, which tells whether it differs from what is served. */
  readonly check: { readonly problems: readonly TableProblem[]; readonly hash: string | undefined };
  /** What is wrong with a draft of one row. */
  readonly row: readonly TableProblem[];
  readonly analyze: TableAnalysis;
  /** What each call evaluates to: as served, and with the draft. */
  readonly evaluate: readonly (readonly [before: TableResult, after: TableResult])[];
  readonly judge: readonly Judged[];
  /** In its canonical form, if nothing is wrong with it. */
  readonly document: TableDocument;
}

/** What is asked, by the kind of question. */
export interface DraftQuestions {
  readonly check: undefined;
  readonly row: Draft;
  readonly analyze: { readonly profile: unknown };
  readonly evaluate: readonly TableCall[];
  readonly judge: readonly RecordToJudge[];
  readonly document: undefined;
}

export type QuestionKind = keyof DraftQuestions;

export type AskedOfDraft = {
  [Kind in QuestionKind]: {
    readonly kind: "ask";
    readonly ticket: number;
    readonly about: Kind;
    readonly given: DraftQuestions[Kind];
  };
}[QuestionKind];

/** A reply, with the ticket of what was asked: either a value or why there is none. */
export interface ToldOfDraft {
  readonly ticket: number;
  readonly value?: unknown;
  readonly failure?: string;
}
