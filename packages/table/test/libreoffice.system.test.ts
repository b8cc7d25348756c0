import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkTable, newTable, readTable, type TableDocument, writeTable } from "../src/index.js";
import { document, shipping } from "./support/shipping.js";

const folder = mkdtempSync(join(tmpdir(), "decern-libreoffice-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Separator, quotation mark, encoding (UTF-8), first line; then texts as they are, and no formatting of numbers. */
const csvFilter = (separator: string) =>
  `csv:Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,76,1,,0,false,true,false`;

/** LibreOffice opens the file and saves it. */
async function resave(name: string, filter: string, extra: readonly string[] = []): Promise<Uint8Array> {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const out = join(folder, "out");
  await promisify(execFile)("soffice", [
    profile,
    "--headless",
    ...extra,
    "--convert-to",
    filter,
    "--outdir",
    out,
    join(folder, name),
  ]);
  return readFileSync(join(out, name.replace(/\.\w+$/, `.${filter.split(":")[0]}`)));
}

let canonical: TableDocument;
let hash: string | undefined;
beforeAll(() => {
  const checked = checkTable(shipping, { name: "fee.json", document });
  if (checked.document === undefined) throw new Error("the table has errors");
  canonical = checked.document;
  hash = checked.decision?.contentHash;
  writeFileSync(join(folder, "fee.xlsx"), writeTable(canonical, "xlsx"));
  writeFileSync(join(folder, "fee.csv"), writeTable(canonical, "csv"));
});

function read(name: string, bytes: Uint8Array) {
  const { problems, document: found, decision } = checkTable(shipping, { name, bytes });
  return { problems, document: found, hash: decision?.contentHash };
}

describe("LibreOffice", () => {
  it("opens our workbook, and saves one with the same table", async () => {
    const bytes = await resave("fee.xlsx", "xlsx:Calc MS Excel 2007 XML");
    expect(Buffer.compare(bytes, readFileSync(join(folder, "fee.xlsx")))).not.toBe(0);
    expect(read("fee.xlsx", bytes)).toEqual({ problems: [], document: canonical, hash });
  });

  it.each([",", ";", "\t"])("saves our workbook as CSV with %j", async (separator) => {
    const bytes = await resave("fee.xlsx", csvFilter(separator));
    expect(read("fee.csv", bytes)).toEqual({ problems: [], document: canonical, hash });
  });

  it("opens our CSV, and saves a workbook with the same table", async () => {
    const bytes = await resave("fee.csv", "xlsx:Calc MS Excel 2007 XML", [
      "--infilter=Text - txt - csv (StarCalc):44,34,76,1",
    ]);
    expect(read("fee.xlsx", bytes)).toEqual({ problems: [], document: canonical, hash });
  });

  it("opens a new table, with its drop-downs", async () => {
    writeFileSync(join(folder, "new.xlsx"), newTable(shipping, "xlsx"));
    const bytes = await resave("new.xlsx", "fods:OpenDocument Spreadsheet Flat XML");
    const xml = new TextDecoder().decode(bytes);
    expect(xml).toContain("cell-content-is-in-list(&quot;domestic&quot;;&quot;eu&quot;;&quot;abroad&quot;)");
    expect(xml).toContain("parcel.weightKg");
    expect(() =>
      readTable(shipping, { name: "new.xlsx", bytes: readFileSync(join(folder, "new.xlsx")) }),
    ).toThrow("has no row");
  });
});
