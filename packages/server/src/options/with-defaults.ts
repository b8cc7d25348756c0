import { optionRows, type optionTable } from "./option-table.js";
import type { ServerOptions } from "./options.js";

type Table = typeof optionTable;

/** The options that have a default. None of them is ever absent. */
export type DefaultedOptions = {
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown }
    ? Name
    : never]: NonNullable<ServerOptions[Name]>;
};

const defaulted = optionRows.filter(([, option]) => option.default !== undefined);

/** Fills in defaults. Given values may still be wrong, which {@link isComplete} finds. */
export function withDefaults(options: object): object {
  const filled: Record<string, unknown> = {};
  for (const [name, option] of defaulted) filled[name] = Reflect.get(options, name) ?? option.default;
  return filled;
}

/** Whether every option that has a default has a value of its kind. */
export function isComplete(filled: object): filled is DefaultedOptions {
  return defaulted.every(([name, { kind }]) => kind(Reflect.get(filled, name), `/${name}`).length === 0);
}
