import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { checkTable, type TableDocument, tableContract, writeTable } from "../../src/index.js";

const contract = tableContract({
  id: "any",
  inputSchema: z.object({
    text: z.string().nullable(),
    number: z.number().nullable(),
    flag: z.boolean().optional(),
    from: z.iso.date(),
  }),
  outputSchema: z.object({
    text: z.string().optional(),
    nested: z.object({ number: z.number().nullable() }),
    flag: z.boolean(),
  }),
  profileSchema: z.object({ limit: z.number().default(1) }),
});

const text = fc.oneof(
  fc.constantFrom(
    "=SUM(A1)",
    "-",
    "+1",
    "@x",
    " padded ",
    "null",
    "true",
    "12,5",
    "01067",
    '"quoted"',
    "profile.x",
    "_x0041_",
    "a\nb",
    "“x”",
    "–",
  ),
  fc.string({ unit: "grapheme" }).filter((each) => !/\p{Surrogate}/u.test(each)),
);
/** Carriage returns in a CSV file or XML become line feeds. */
const note = text.map((each) => each.replaceAll("\r", "").trim());
const quoted = text.map((each) => JSON.stringify(each));
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (each === 0 ? 0 : each));

const conditions = fc.tuple(
  fc.oneof(
    fc.constantFrom("-", "", "null", null, "not(null)", "= a, b"),
    quoted,
    quoted.map((each) => `not(${each}, b)`),
  ),
  fc.oneof(
    fc.constantFrom("-", null, "> profile.limit", "= 5", "= 5, 6", "-5, 6", "[1..2.5), null"),
    number,
    number.map((each) => `>= ${each}`),
  ),
  fc.constantFrom("-", true, false, "true", "not(true)"),
  fc.constantFrom("-", "2026-01-01", "[2026-01-01..2026-02-01)", "< 2000-02-29"),
);
const outputs = fc.tuple(
  fc.oneof(quoted, fc.constant("")),
  fc.oneof(number, fc.constant(null), fc.constant("profile.limit * 2")),
  fc.boolean(),
);

const rows = fc.uniqueArray(
  fc.record(
    {
      id: fc.stringMatching(/^[a-zA-Z=+@-][\w. -]{0,9}[\w]$/).filter((id) => id.toLowerCase() !== "default"),
      if: conditions,
      then: outputs,
      note,
      from: fc.constantFrom("2026-01-01", "2026-01-01T00:00:00+01:00"),
      until: fc.constantFrom("2027-01-01"),
    },
    { requiredKeys: ["id", "if", "then"] },
  ),
  { selector: ({ id }) => id.trim(), minLength: 1, maxLength: 5 },
);

const documents = fc.record(
  {
    table: fc.constant("any"),
    version: fc.constantFrom("1.0.0", "2026-01-01", "2", "1.10"),
    hitPolicy: fc.constant("F"),
    inputs: note.map((label) => [
      { path: "text", ...(label === "" ? {} : { label }) },
      { path: "number" },
      { path: "flag" },
      { path: "from" },
    ]),
    outputs: fc.constant([{ path: "text" }, { path: "nested.number", label: "Number" }, { path: "flag" }]),
    rules: rows,
    default: outputs,
  },
  { requiredKeys: ["table", "version", "hitPolicy", "inputs", "outputs", "rules"] },
);

function read(
  name: string,
  given: { document: unknown } | { bytes: Uint8Array },
): { document: TableDocument; hash: string | undefined } {
  const { document, decision, problems } = checkTable(contract, { name, ...given });
  expect(problems).toEqual([]);
  if (document === undefined) throw new Error("has no document");
  return { document, hash: decision?.contentHash };
}

it("no field of CSV is a formula", () => {
  const { document } = read("any.json", {
    document: {
      table: "any",
      version: "1",
      hitPolicy: "F",
      inputs: [{ path: "number" }],
      outputs: [{ path: "text" }, { path: "nested.number" }, { path: "flag" }],
      rules: [
        { id: "=1+1", if: ["= 5, 6"], then: ["=1+1", "-1 * profile.limit", true], note: "@x" },
        { id: "+1", if: ["-5, 6"], then: ["+1", -1, true], note: "-x" },
      ],
    },
  });
  const fields = new TextDecoder().decode(writeTable(document, "csv", { delimiter: ";" })).split(/[;\r\n]+/);
  expect(fields.filter((field) => /^"?[=+@-]/.test(field))).toEqual(["-1"]);
});

it("a table survives each form, and its hash does", { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(",", ";", "\t"), (given, delimiter) => {
      const canonical = read("any.json", { document: given });
      expect(read("again.json", { document: canonical.document })).toEqual(canonical);
      for (const form of ["json", "csv", "xlsx"] as const)
        expect(read(`any.${form}`, { bytes: writeTable(canonical.document, form, { delimiter }) })).toEqual(
          canonical,
        );
    }),
    { numRuns: Number(process.env["DECERN_PROP_RUNS"] ?? 60) },
  );
});
