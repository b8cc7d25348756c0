/** Everything that one play showed to anybody, in order. */
export class Journal {
  readonly lines: string[] = [];
  /** Of the play's clock. Hooks and callbacks take time. */
  nowMs = 1000;

  note(what: string, ...seen: readonly unknown[]): void {
    this.lines.push(`${what} ${seen.map((value) => show(value)).join(" ")}`);
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Instants of the machine's clock, which is asked where the play's own fails. That one stands in 2023. */
const instant = /20(?!23)\d\d-\d\d-\d\dT[\d:.]+Z/g;
const mostLevels = 12;

/** Writes a value as text. What two cores make of one call has the same text. */
export function show(value: unknown): string {
  return written(value, 0).replace(uuid, "<uuid>").replace(instant, "<now>");
}

function written(value: unknown, level: number): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "<function>";
  // An instant of the machine's clock too.
  if (typeof value === "number" && value > 1.75e12 && value < 2e12) return "<now>";
  if (typeof value !== "object" || value === null) return String(value);
  if (level > mostLevels) return "<deep>";
  if (value instanceof Date) return `<${value.toISOString()}>`;
  if (value instanceof Error) {
    const { name, message, cause } = value;
    return `<${name} ${JSON.stringify(message)} ${members({ ...value, cause }, level)}>`;
  }
  if (Array.isArray(value)) return `[${value.map((one) => written(one, level + 1)).join()}]`;
  // A decision: its rules and schemas are the play's own.
  if ("outputSchema" in value && "version" in value) return `<${Reflect.get(value, "id")}@${value.version}>`;
  return members(value, level);
}

function members(value: object, level: number): string {
  const list = Object.entries(value).map(([name, one]) => `${name}:${written(one, level + 1)}`);
  return `{${list.join()}}`;
}
