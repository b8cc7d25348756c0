import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Opens a workbook in LibreOffice, edits it, and saves it.
 *
 * @param edit - of a flat document, whose cells can be edited as text
 */
export async function editWorkbook(path: string, edit: (xml: string) => string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "decern-libre-office-"));
  const resave = async (name: string, filter: string): Promise<void> => {
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const args = [profile, "--headless", "--convert-to", filter, "--outdir", folder, join(folder, name)];
    await promisify(execFile)("soffice", args);
  };
  copyFileSync(path, join(folder, "table.xlsx"));
  await resave("table.xlsx", "fods:OpenDocument Spreadsheet Flat XML");
  const flat = join(folder, "table.fods");
  writeFileSync(flat, edit(readFileSync(flat, "utf8")));
  await resave("table.fods", "xlsx:Calc MS Excel 2007 XML");
  copyFileSync(join(folder, "table.xlsx"), path);
  rmSync(folder, { recursive: true });
}

/** Puts another number into the one cell that has a number. */
export function replaceNumber(xml: string, before: number, after: number): string {
  return replaceOnce(
    xml,
    ` office:value="${before}"([^>]*)>\\s*<text:p>${before}</text:p>`,
    ` office:value="${after}"$1><text:p>${after}</text:p>`,
  );
}

/** Puts another text into the one cell that has a text. */
export function replaceText(xml: string, before: string, after: string): string {
  return replaceOnce(xml, `<text:p>${before}</text:p>`, `<text:p>${after}</text:p>`);
}

function replaceOnce(xml: string, pattern: string, replacement: string): string {
  const cells = new RegExp(pattern.replaceAll(".", "\\."), "g");
  const found = xml.match(cells)?.length ?? 0;
  if (found !== 1) throw new Error(`the workbook has ${found} cells that match ${pattern}`);
  return xml.replace(cells, replacement);
}
