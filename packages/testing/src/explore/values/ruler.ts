import type { JsonSchema } from "@decern/core";

/** Measures values of one kind, so that the middle of two can be taken. */
export interface Ruler {
  /** Whole numbers: neighbours differ by 1. */
  toUnits(value: unknown): number | undefined;
  fromUnits(units: number): unknown;
  /** So many units are a step that is easy to read. @default 1 */
  readonly coarse?: number;
}

const largest = 4_503_599_627_370_496;
const powers: readonly number[] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** The number of decimals of a number. */
export function decimalsOf(value: number): number {
  const [digits = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (digits.split(".")[1] ?? "").length - Number(exponent));
}

/** Counts steps of `multipleOf`, else of 1, else of a decimal place. */
export function numberRuler({ type, multipleOf }: JsonSchema, decimals: number): Ruler {
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : undefined;
  if (step !== undefined && step >= 1) return stepRuler(step, 1);
  if (step === undefined && type === "integer") return stepRuler(1, 1);
  if (step === undefined) return stepRuler(1, powers[Math.min(decimals, 9)] ?? 1);
  const parts = Math.round(1 / step);
  return Math.abs(parts * step - 1) < 1e-9 ? stepRuler(1, parts) : stepRuler(step, 1);
}

const mostDecimals = 9;

/** As {@link numberRuler}, in the smallest steps that numbers up to `largestValue` can be counted in, up to nine decimals. */
export function finestRuler(schema: JsonSchema, decimals: number, largestValue: number): Ruler {
  const coarse = numberRuler(schema, decimals);
  for (let finer = mostDecimals; finer > decimals; finer -= 1) {
    const ruler = numberRuler(schema, finer);
    if (ruler.toUnits(largestValue) !== undefined)
      return { ...ruler, coarse: Math.max(1, ruler.toUnits(coarse.fromUnits(1)) ?? 1) };
  }
  return coarse;
}

function stepRuler(step: number, parts: number): Ruler {
  return {
    toUnits: (value) => {
      if (typeof value !== "number") return undefined;
      const units = Math.round((value / step) * parts);
      return Math.abs(units) < largest ? units : undefined;
    },
    // A division by a whole number gives the decimal that is nearest, and with it the shortest text.
    fromUnits: (units) => (units === 0 ? 0 : (units * step) / parts),
  };
}

const dayMs = 86_400_000;
const forms = [
  {
    pattern: /^\d{4}-(?:0[1-9]|1[0-2])$/,
    toUnits: (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5)) - 1,
    fromUnits: (units: number) => `${padded(Math.floor(units / 12), 4)}-${padded((units % 12) + 1, 2)}`,
  },
  {
    pattern: /^\d{4}-\d\d-\d\d$/,
    toUnits: (text: string) => Date.parse(`${text}T00:00:00Z`) / dayMs,
    fromUnits: (units: number) => isoText(units * dayMs).slice(0, 10),
  },
  {
    pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    toUnits: (text: string) => Date.parse(text) / 1000,
    fromUnits: (units: number) => `${isoText(units * 1000).slice(0, 19)}Z`,
  },
  {
    pattern: /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)$/,
    toUnits: (text: string) => Date.parse(text),
    fromUnits: (units: number) => isoText(units),
  },
  {
    pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
    toUnits: (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)),
    fromUnits: (units: number) => `${padded(Math.floor(units / 60), 2)}:${padded(units % 60, 2)}`,
  },
  {
    pattern: /^\d{1,12}$/,
    toUnits: (text: string) => Number(text),
    fromUnits: (units: number, length: number) => padded(units, length),
  },
] as const;

/** For texts that are dates, months, times or digits; `undefined` for others. */
export function textRuler(sample: string): Ruler | undefined {
  const form = forms.find(({ pattern }) => pattern.test(sample));
  if (form === undefined) return undefined;
  return {
    toUnits: (value) => {
      if (typeof value !== "string" || !form.pattern.test(value)) return undefined;
      const units = form.toUnits(value);
      return Number.isFinite(units) ? Math.round(units) : undefined;
    },
    fromUnits: (units) => form.fromUnits(units, sample.length),
  };
}

/** Measures how much of a long text or list is there. */
export function lengthRuler(long: string | readonly unknown[]): Ruler {
  return {
    toUnits: (value) => (typeof value === "string" || Array.isArray(value) ? value.length : undefined),
    fromUnits: (units) => long.slice(0, units),
  };
}

function padded(number: number, length: number): string {
  return String(number).padStart(length, "0");
}

function isoText(ms: number): string {
  return Math.abs(ms) > 8.64e15 ? "" : new Date(ms).toISOString();
}
