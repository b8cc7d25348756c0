import { readFileSync } from "node:fs";

let style: string | undefined;

/** The style sheet of the page. It is a file of the package, read at the first call. */
export function reportStyle(): string {
  style ??= readFileSync(new URL("../../../assets/report.css", import.meta.url), "utf8");
  return style;
}
