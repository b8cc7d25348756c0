/** One table as printed and as written to JSON. */
export interface Table {
  readonly title: string;
  /** What the columns mean, where their heads do not say it. */
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly targets: readonly Target[];
}

/** Something promised, and what was measured. */
export interface Target {
  readonly what: string;
  readonly limit: string;
  readonly measured: number;
  readonly met: boolean;
}

/** A target that must not be exceeded. */
export function atMost(what: string, limit: number, measured: number, unit = ""): Target {
  return { what, limit: `at most ${limit}${unit}`, measured: round(measured), met: measured <= limit };
}

/** A target that has to be reached. */
export function atLeast(what: string, limit: number, measured: number, unit = ""): Target {
  return { what, limit: `at least ${limit}${unit}`, measured: round(measured), met: measured >= limit };
}

/** Three digits that mean something, as far as tables need them. */
export function round(value: number): number {
  if (!Number.isFinite(value)) return value;
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
