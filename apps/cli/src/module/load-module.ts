import { stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Decision, VersionPolicy } from "@decern/core";
import { createCatalogue, isDecision } from "@decern/core/tools";
import type { ServerOptions } from "@decern/server";
import { CommandError } from "../command-line/command.js";
import { sentenceOf } from "../command-line/sentence-of.js";

/** What a module says about its decisions. */
export interface DecisionModule {
  /** Absolute. */
  readonly path: string;
  readonly decisions: readonly Decision[];
  /** By decision id, as `createServer` takes them. */
  readonly profiles?: Readonly<Record<string, unknown>>;
  /** By decision id. */
  readonly versions?: Readonly<Record<string, VersionPolicy | undefined>>;
  /** Options of `createServer`. */
  readonly server?: ModuleServerOptions;
}

/** What `createServer` is given beside the decisions. It checks them itself. */
type ModuleServerOptions = Omit<ServerOptions, "decisions">;

/**
 * Loads the module that a command was called with. It exports `decisions`, and may export `profiles`, `versions` and `server`:
 * by name, or in a default export.
 *
 * @throws CommandError when it cannot be loaded, or exports something else
 */
export async function loadModule(path: string, cwd: string): Promise<DecisionModule> {
  const file = resolve(cwd, path);
  await checkFile(file, path);
  let exported: unknown;
  try {
    exported = await importFile(file);
  } catch (cause) {
    throw new CommandError(`cannot load ${path}: ${sentenceOf(cause)}`, { cause });
  }
  const found = exportsOf(exported);
  if (found === undefined) {
    throw new CommandError(
      `${path} does not export "decisions"; add, for example, export const decisions = [yourDecision]`,
    );
  }
  try {
    return moduleOf(file, found);
  } catch (cause) {
    throw new CommandError(`${path}: ${sentenceOf(cause)}`, { cause });
  }
}

async function checkFile(file: string, path: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined) throw new CommandError(`cannot find ${path}`);
  if (!stats.isFile()) throw new CommandError(`${path} is a folder; name the module in it`);
}

async function importFile(file: string): Promise<unknown> {
  const url = pathToFileURL(file).href;
  if (!/^\.([cm]?ts|[jt]sx)$/.test(extname(file))) return await import(url);
  const { importTypeScript } = await import("./import-typescript.js");
  return await importTypeScript(url, file);
}

type Exports = Readonly<Record<string, unknown>>;

/** The object that has `decisions`: the module, its default export, or that of a CommonJS module that was an ES module. */
function exportsOf(exported: unknown): Exports | undefined {
  let candidate = exported;
  for (let depth = 0; depth < 3 && isObject(candidate); depth += 1) {
    if (candidate["decisions"] !== undefined) return candidate;
    candidate = candidate["default"];
  }
  return undefined;
}

function moduleOf(path: string, { decisions, profiles, versions, server }: Exports): DecisionModule {
  if (!Array.isArray(decisions)) throw new CommandError('"decisions" must be a list');
  const list = decisions.filter(isDecision);
  if (list.length < decisions.length) {
    const index = decisions.findIndex((decision) => !isDecision(decision));
    throw new CommandError(`decisions[${index}] is not a decision; make it with defineDecision`);
  }
  if (!isOptional(server, isServerOptions)) throw new CommandError('"server" must be an object of options');
  // What a server is told holds for the other commands as well, unless the module says otherwise.
  const ownVersions = versions ?? server?.versions;
  if (!isOptional(ownVersions, areVersions))
    throw new CommandError('"versions" must be an object by decision id');
  if (!isOptional(profiles, isObject)) throw new CommandError('"profiles" must be an object by decision id');
  createCatalogue(list, profiles, ownVersions);
  return {
    path,
    decisions: list,
    ...(profiles === undefined ? {} : { profiles }),
    ...(ownVersions === undefined ? {} : { versions: ownVersions }),
    ...(server === undefined ? {} : { server }),
  };
}

function isOptional<Value>(
  value: unknown,
  isValue: (given: unknown) => given is Value,
): value is Value | undefined {
  return value === undefined || isValue(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `createCatalogue` checks the policies. */
function areVersions(value: unknown): value is Readonly<Record<string, VersionPolicy | undefined>> {
  return isObject(value);
}

/** `createServer` checks the options. */
function isServerOptions(value: unknown): value is ModuleServerOptions {
  return isObject(value);
}
