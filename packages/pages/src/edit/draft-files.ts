import { type TableDocument, type TableForm, writeTable } from "@decern/table/browser";
import { download } from "../parts/controls.js";

const types: Readonly<Record<TableForm, string>> = {
  json: "application/json",
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** Offers a draft as a file that a service, a spreadsheet or `decern table` reads. */
export function saveDraft(document: TableDocument, form: TableForm): void {
  const name = `${document.table}-${document.version}.${form}`.replaceAll(/[^\w.-]+/g, "-");
  download(name, types[form], writeTable(document, form));
}
