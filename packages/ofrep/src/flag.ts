import { DecernError } from "@decern/core";

/** What a flag has been decided to be. */
export interface Flag {
  /** Absent where the default that the application's code gives is to apply. */
  readonly value?: boolean | string | number | Readonly<Record<string, unknown>> | undefined;
  /** The name of that value. @default the rule that matched */
  readonly variant?: string | undefined;
}

/**
 * Reads an output as a flag: a boolean, a text or a number is its value; of an object the members `value` and `variant`, where
 * it has a `value`; any other object is itself the value.
 */
export function readOutput(data: unknown): Flag {
  if (!isObject(data) || !Object.hasOwn(data, "value")) return readFlag({ value: data });
  return readFlag({ value: data["value"], variant: data["variant"] });
}

/**
 * Checks what is to be a flag.
 *
 * @throws DecernError `INTERNAL_ERROR` for what OpenFeature has no type for
 */
export function readFlag(given: unknown): Flag {
  if (!isObject(given)) throw noFlag("toFlag must return an object");
  const { value, variant } = given;
  if (variant !== undefined && typeof variant !== "string") throw noFlag("a variant must be a string");
  if (value === undefined) return { variant };
  if (typeof value === "boolean" || typeof value === "string" || isObject(value)) return { value, variant };
  if (typeof value === "number" && Number.isFinite(value)) return { value, variant };
  throw noFlag("a flag must be a boolean, a string, a number or an object");
}

function noFlag(detail: string): DecernError {
  return new DecernError("INTERNAL_ERROR", { detail });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
