import { openTable, type TableProblem } from "@decern/table/browser";
import type { ToDraftWorker } from "../draft/draft-messages.js";
import type { DraftTables } from "../draft/draft-tables.js";
import { schemaOf } from "../json/schema-port.js";
import { messageOf } from "../json/values.js";
import type { Asked, Told, ToWorker } from "./table-client.js";

/** Opens one table and says what is asked of it, so that nothing the page does waits for a large table. */
let table: ReturnType<typeof openTable> | undefined;

/** The draft of one. Its code is loaded once somebody edits. */
let draft: Promise<DraftTables> | undefined;

addEventListener("message", ({ data }: MessageEvent<ToWorker | ToDraftWorker>) => {
  if (data.kind === "open") {
    const { id, content, schemas } = data;
    table = openTable(
      {
        id,
        inputSchema: schemaOf(schemas.inputSchema, content.inputSchema),
        outputSchema: schemaOf(content.outputSchema, content.outputSchema),
        profileSchema: schemaOf(schemas.profileSchema, content.profileSchema),
      },
      content,
    );
  } else if (data.kind === "edit") {
    draft = import("../draft/draft-tables.js").then(({ DraftTables }) => new DraftTables(data));
  } else if (data.kind === "draft") {
    draft?.then(
      (tables) => tables.change(data),
      () => {},
    );
  } else if (data.kind === "ask") {
    draft?.then(
      (tables) => postMessage(tables.told(data)),
      () => postMessage({ ticket: data.ticket, failure: "its code did not load" }),
    );
  } else postMessage(told(data));
});

function told(asked: Asked): Told {
  const { ticket } = asked;
  try {
    if (table === undefined) throw new Error("no table is open");
    if ("problems" in table) return { ticket, problem: reasonsOf(table.problems) };
    if (asked.kind === "mark") return { ticket, marks: table.mark(asked.call) };
    return { ticket, analysis: table.analyze(asked.profile) };
  } catch (error) {
    return { ticket, problem: messageOf(error) };
  }
}

function reasonsOf(problems: readonly TableProblem[]): string {
  return problems
    .slice(0, 3)
    .map(({ path, message }) => `${path}: ${message}`)
    .join("; ");
}
