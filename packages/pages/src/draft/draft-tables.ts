import {
  type OpenTable,
  openTable,
  type TableCall,
  type TableContract,
  type TableDocument,
  type TableResult,
  tableEvaluator,
} from "@decern/table/browser";
import { schemaOf } from "../json/schema-port.js";
import { messageOf } from "../json/values.js";
import { type Draft, type DraftRow, documentOf } from "./draft.js";
import type {
  AskedOfDraft,
  ChangedDraft,
  DraftQuestions,
  DraftReplies,
  OpenedDraft,
  ToldOfDraft,
} from "./draft-messages.js";
import { type Judges, judgeRecord, readsOf } from "./judge-record.js";

type Opened = ReturnType<typeof openTable>;

type Evaluator = (call: TableCall) => TableResult;

/** One served table, and the draft that somebody makes of it. */
export class DraftTables {
  readonly #contract: TableContract;
  /** Takes what the service took. */
  readonly #lenient: TableContract;
  readonly #served: unknown;
  /** By stamp. */
  #rows = new Map<number, readonly string[]>();
  #draft: Draft | undefined;
  #opened: Opened | undefined;
  #judges: Judges | undefined;
  #asServed: Evaluator | undefined;

  constructor({ id, content, schemas }: OpenedDraft) {
    const contractOf = (takesAll: boolean): TableContract => ({
      id,
      inputSchema: schemaOf(schemas.inputSchema, content.inputSchema, takesAll),
      outputSchema: schemaOf(content.outputSchema, content.outputSchema),
      profileSchema: schemaOf(schemas.profileSchema, content.profileSchema, takesAll),
    });
    this.#contract = contractOf(false);
    this.#lenient = contractOf(true);
    this.#served = content.document;
  }

  change({ head, order, rows, otherwise }: ChangedDraft): void {
    for (const [stamp, values] of rows) this.#rows.set(stamp, values);
    const kept = order.map((stamp): DraftRow => ({ key: stamp, values: this.#rows.get(stamp) ?? [] }));
    this.#rows = new Map(kept.map(({ key, values }) => [key, values]));
    this.#draft = { head, rows: kept, otherwise };
    this.#opened = undefined;
    this.#judges = undefined;
  }

  /** What replies to each kind of question. */
  readonly replies: {
    readonly [Kind in keyof DraftReplies]: (given: DraftQuestions[Kind]) => DraftReplies[Kind];
  } = {
    check: () => {
      const table = this.#now();
      return "problems" in table
        ? { problems: table.problems, hash: undefined }
        : { problems: [], hash: table.content.hash };
    },
    row: (draft) => {
      const table = open(this.#contract, documentOf(draft));
      return "problems" in table ? table.problems : [];
    },
    analyze: ({ profile }) => readable(this.#now()).analyze(profile),
    evaluate: (calls) => {
      this.#asServed ??= tableEvaluator(this.#contract, readable(open(this.#contract, this.#served)));
      const before = this.#asServed;
      const after = tableEvaluator(this.#contract, readable(this.#now()));
      return calls.map((call) => [before(call), after(call)]);
    },
    judge: (records) => {
      this.#judges ??= this.#judgesNow();
      const judges = this.#judges;
      return records.map(({ record, profile }) => judgeRecord(record, profile, judges));
    },
    document: () => {
      const table = this.#now();
      return "problems" in table ? this.#written() : tableIn(table);
    },
  };

  /** Replies to what is asked. */
  told(asked: AskedOfDraft): ToldOfDraft {
    const { ticket } = asked;
    try {
      return { ticket, value: this.#replyTo(asked) };
    } catch (error) {
      return { ticket, failure: messageOf(error) };
    }
  }

  #replyTo<Kind extends keyof DraftReplies>({
    about,
    given,
  }: {
    readonly about: Kind;
    readonly given: DraftQuestions[Kind];
  }): DraftReplies[Kind] {
    return this.replies[about](given);
  }

  #now(): Opened {
    this.#opened ??= open(this.#contract, this.#written());
    return this.#opened;
  }

  #written(): TableDocument {
    if (this.#draft === undefined) throw new Error("there is no draft");
    return documentOf(this.#draft);
  }

  #judgesNow(): Judges {
    const served = readable(open(this.#lenient, this.#served));
    const draft = readable(open(this.#lenient, this.#written()));
    return {
      served: tableEvaluator(this.#lenient, served),
      draft: tableEvaluator(this.#lenient, draft),
      servedHash: served.content.hash,
      reads: readsOf([served, draft].map(tableIn)),
      isValid: (input) => {
        const validated = this.#contract.inputSchema["~standard"].validate(input);
        return !(validated instanceof Promise) && validated.issues === undefined;
      },
    };
  }
}

function open(contract: TableContract, document: unknown): Opened {
  return openTable(contract, { hash: "", mediaType: "", document });
}

function readable(table: Opened): OpenTable {
  if ("problems" in table) throw new Error(table.problems[0]?.message ?? "the table cannot be read");
  return table;
}

function tableIn({ content }: OpenTable): TableDocument {
  // Holds: the content of an open table is its canonical document.
  return content.document as TableDocument;
}
