/** Text of a column; `null` for NULL. */
export function textOf(row: object | undefined, column: string): string | null {
  const value: unknown = row === undefined ? null : Reflect.get(row, column);
  return value === null || value === undefined ? null : String(value);
}

/** Number of a column. Columns of type bigint are selected as text, because a host may have changed how they are read. */
export function numberOf(row: object | undefined, column: string): number {
  return Number(textOf(row, column));
}
