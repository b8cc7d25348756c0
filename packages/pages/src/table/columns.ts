import type { TableDocument } from "@decern/table/browser";
import { resolveSchema } from "../json/schema.js";
import { isObject, type JsonObject, own, textOf } from "../json/values.js";
import type { DocsDecision } from "../model/data.js";
import { conditionText, outputText } from "./marked-rows.js";

/** A column of the grid. */
export interface GridColumn {
  readonly kind: "id" | "input" | "output" | "note" | "from" | "until" | "hits";
  /** Of the table's inputs or outputs; otherwise 0. */
  readonly place: number;
  readonly label: string;
  /** Members of the input or output, joined by dots. */
  readonly path?: string | undefined;
  /** In characters. */
  readonly width: number;
}

/** The columns of a table, with what its schemas call them. */
export function columnsOf(
  document: TableDocument,
  { inputSchema, outputSchema }: Pick<DocsDecision, "inputSchema" | "outputSchema">,
): readonly GridColumn[] {
  const { inputs, outputs, rules, default: otherwise } = document;
  const items = own(resolveSchema(outputSchema, outputSchema), "items");
  const emitted = isObject(items) ? items : outputSchema;
  const hasNote = rules.some(({ note }) => note !== undefined);
  return [
    {
      kind: "id",
      place: 0,
      label: "Row",
      width: widthOf(
        rules.map(({ id }) => `${id}${stateRoom}`),
        12,
        20,
      ),
    },
    ...inputs.map(({ path, label }, place): GridColumn => {
      const name = label ?? labelAt(path, inputSchema, inputSchema);
      const texts = rules.map((row) => conditionText(row.if[place]));
      return { kind: "input", place, label: name, path, width: widthOf([name, ...texts], 15, 20) };
    }),
    ...outputs.map(({ path, label }, place): GridColumn => {
      const name = label ?? labelAt(path, emitted, outputSchema);
      const texts = [...rules.map(({ then }) => then), otherwise ?? []].map((cells) =>
        outputText(cells[place]),
      );
      return { kind: "output", place, label: name, path, width: widthOf([`→ ${name}`, ...texts], 12, 16) };
    }),
    ...(hasNote
      ? [
          {
            kind: "note",
            place: 0,
            label: "Note",
            width: widthOf(
              rules.map(({ note = "" }) => note),
              12,
              16,
            ),
          } as const,
        ]
      : []),
  ];
}

/** What can stand next to a row's id. */
const stateRoom = " Decides";

/** Room for the longest text, within limits. */
function widthOf(texts: readonly string[], least: number, most: number): number {
  const longest = texts.reduce((longest, text) => Math.max(longest, text.length), 0);
  return Math.min(most, Math.max(least, longest + 3));
}

/** What a schema calls the value at a path, else the path's last name. */
function labelAt(path: string, schema: JsonObject, root: JsonObject): string {
  const names = path.split(".");
  let found: JsonObject | undefined = schema;
  for (const name of names) {
    const properties: unknown = found && own(resolveSchema(found, root), "properties");
    const property: unknown = isObject(properties) ? own(properties, name) : undefined;
    found = isObject(property) ? property : undefined;
  }
  return (found && textOf(resolveSchema(found, root), "title")) ?? names.at(-1) ?? path;
}
