/** The name of a file of output. */
export function partName(index: number, emit: string): string {
  return `part-${String(index).padStart(5, "0")}.${emit === "csv" ? "csv" : "ndjson"}`;
}
