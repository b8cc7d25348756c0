import type { DmnFinding } from "@decern/dmn";

const mostShown = 120;

/** A finding in a line. */
export function findingText({ severity, file, line, element, message, expression }: DmnFinding): string {
  const name = element === undefined ? "" : `"${element}": `;
  return `${severity === "warning" ? "warning: " : ""}${file}, line ${line}: ${name}${message}${quote(expression)}`;
}

function quote(expression: string | undefined): string {
  if (expression === undefined) return "";
  const line = expression.trim().replaceAll(/\s+/g, " ");
  return ` in: ${line.length > mostShown ? `${line.slice(0, mostShown)}…` : line}`;
}
