import { z } from "zod";
import { checkTable, type TableContract, tableContract } from "../../src/index.js";

/** A contract with a column of each type. */
export const fees = tableContract({
  id: "fees",
  inputSchema: z.object({
    zone: z.enum(["eu", "world"]),
    city: z.string().nullable(),
    weight: z.number().min(0).max(30),
    isGift: z.boolean().optional(),
    day: z.iso.date().optional(),
    at: z.iso.datetime({ offset: true }).optional(),
  }),
  outputSchema: z.object({ fee: z.number().max(100), carrier: z.string().optional() }),
  profileSchema: z.object({ base: z.number().default(1) }),
});

export const heading = [
  "rule",
  "zone",
  "city",
  "weight",
  "isGift",
  "day",
  "at",
  "out: fee",
  "out: carrier",
  "note",
  "from",
  "until",
];

/** A row that is right; the given cells stand in its place. */
export function row(given: Readonly<Record<string, unknown>> = {}): unknown[] {
  const cells: Readonly<Record<string, unknown>> = { rule: "r1", zone: "eu", "out: fee": 5, ...given };
  return heading.map((name) => cells[name]);
}

/** The lines of a sheet with these rows below the heading, which is line 5. */
export function lines(
  rows: readonly (readonly unknown[])[],
  keys: Readonly<Record<string, unknown>> = {},
): unknown[][] {
  const head = { table: "fees", version: "1.0.0", "hit policy": "F", ...keys };
  return [
    ["table", head.table],
    ["version", head.version],
    ["hit policy", head["hit policy"]],
    [],
    heading,
    ...rows.map((each) => [...each]),
  ];
}

export function csv(all: readonly (readonly unknown[])[], delimiter = ",", width = 0): string {
  const field = (value: unknown) => {
    const text = value === undefined ? "" : String(value);
    return text.includes(delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return all
    .map((cells) =>
      Array.from({ length: Math.max(cells.length, width) }, (_, index) => field(cells[index])).join(
        delimiter,
      ),
    )
    .join("\n");
}

/** Errors as `row column: message`. */
export function errorsIn(name: string, bytes: Uint8Array | string, contract: TableContract = fees): string[] {
  const source = { name, bytes: typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes };
  return checkTable(contract, source)
    .problems.filter(({ severity }) => severity === "error")
    .map(
      ({ message, place }) =>
        `${place?.sheet ?? "-"} ${place?.row ?? "-"} ${place?.column ?? "-"}: ${message}`,
    );
}
