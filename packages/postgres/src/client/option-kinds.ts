import { type Kind, kinds, option } from "@decern/core/options";
import type { PostgresPool } from "./client.js";

/** Half of a character, or U+0000: PostgreSQL would store another text, or none. */
const noText = /[\0\p{Surrogate}]/u;

/** Whether PostgreSQL stores a text as it is. */
export function isStorable(value: unknown): value is string {
  return typeof value === "string" && !noText.test(value);
}

/** A name that PostgreSQL does not cut off. */
const schemaName = kinds.that<string>(
  (value) => isStorable(value) && value !== "" && Buffer.byteLength(value) < 64,
  "must be the name of a schema, of at most 63 bytes",
);

export const schemaRows = {
  /** Created if missing. @default "public" */
  schema: option(schemaName, "public"),
};

/** A name that an index can hold. */
export const nameKind = kinds.that<string>(
  (value) => isStorable(value) && value !== "" && Buffer.byteLength(value) <= 200,
  "must be a string of 1 to 200 bytes",
);

/** A `pg.Pool`. */
export const poolKind = kinds.withMethods<PostgresPool>("query", "connect", "on", "off");

/**
 * A pool with room. A batch keeps a connection until it is committed, and another is needed for a moment: a pool of
 * one would wait for itself.
 */
export const roomyPoolKind: Kind<PostgresPool> = (value, path) => {
  const problems = poolKind(value, path);
  if (problems.length > 0) return problems;
  return connectionsOf(value) < 2 ? [{ path, message: "must have at least 2 connections (max)" }] : [];
};

/** Most connections that a pool opens, where it says so. */
export function connectionsOf(pool: unknown): number {
  const options: unknown =
    typeof pool === "object" && pool !== null ? Reflect.get(pool, "options") : undefined;
  const max: unknown =
    typeof options === "object" && options !== null ? Reflect.get(options, "max") : undefined;
  return typeof max === "number" ? max : Number.POSITIVE_INFINITY;
}
