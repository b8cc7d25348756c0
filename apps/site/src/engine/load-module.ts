import type * as Core from "@decern/core";
import type * as Table from "@decern/table";
import { transform } from "sucrase";
import { isOffered, type OfferedModule, offeredModules } from "../base/modules.js";
import type { Mistake } from "./messages.js";

/** Returns a module that code in the playground can import. */
export type ModuleOf = (specifier: OfferedModule) => unknown;

/** What a module has made, exported or not. */
export interface Made {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly decisions: readonly unknown[];
  readonly contracts: readonly unknown[];
}

/** As the console of a module calls it. */
export type Log = (...values: readonly unknown[]) => void;

const fileName = "decisions.ts";

/** Runs a module. @throws what the module throws, and errors of syntax */
export async function loadModule(source: string, moduleOf: ModuleOf, log: Log): Promise<Made> {
  const decisions: unknown[] = [];
  const contracts: unknown[] = [];
  const kept =
    (list: unknown[], make: (...values: never[]) => unknown) =>
    (...values: never[]) => {
      const made = make(...values);
      list.push(made);
      return made;
    };
  const require = (specifier: string): unknown => {
    if (!isOffered(specifier)) throw new Error(missing(specifier));
    const found = moduleOf(specifier);
    // What examples define they need not export.
    if (specifier === "@decern/core") {
      // Holds: it is the module of this name.
      const core = found as typeof Core;
      return { ...core, defineDecision: kept(decisions, core.defineDecision) };
    }
    if (specifier !== "@decern/table") return found;
    // Holds: it is the module of this name.
    const table = found as typeof Table;
    return {
      ...table,
      readTable: kept(decisions, table.readTable),
      defineTable: kept(decisions, table.defineTable),
      tableContract: kept(contracts, table.tableContract),
    };
  };
  const exports: Record<string, unknown> = {};
  const console = { debug: log, error: log, info: log, log, table: log, warn: log };
  await compiled(source)(require, exports, console);
  return { exports, decisions, contracts };
}

type CompiledModule = (
  require: (specifier: string) => unknown,
  exports: object,
  console: object,
) => Promise<void>;

/** What the constructor of functions writes before the code. */
const linesBefore = 2;

function compiled(source: string): CompiledModule {
  const { code } = transform(source, {
    transforms: ["typescript", "imports"],
    disableESTransforms: true,
    filePath: fileName,
  });
  const text = `return (async () => {${code}\n})();\n//# sourceURL=${fileName}`;
  // Holds: the text has these parameters, and returns a promise. Its lines are those of the source.
  return new Function("require", "exports", "console", text) as CompiledModule;
}

function missing(specifier: string): string {
  const offered = offeredModules.join(", ");
  return specifier.startsWith(".")
    ? `The playground has one file, so it can't import "${specifier}"`
    : `The playground doesn't have "${specifier}", but ${offered}`;
}

/** What to tell the author of something that was thrown while a module ran. */
export function mistakeOf(thrown: unknown): Mistake {
  const text = thrown instanceof Error ? thrown.message : `Thrown: ${String(thrown)}`;
  const line = lineOf(thrown);
  const message = text.replace(`Error transforming ${fileName}: `, "");
  return { message, ...(line === undefined ? {} : { line }) };
}

function lineOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error)) return undefined;
  // Of a text that doesn't parse.
  const loc: unknown = "loc" in thrown ? thrown.loc : undefined;
  if (typeof loc === "object" && loc !== null && "line" in loc && typeof loc.line === "number")
    return loc.line;
  const [, line] = /decisions\.ts:(\d+)/.exec(thrown.stack ?? "") ?? [];
  return line === undefined ? undefined : Number(line) - linesBefore;
}
