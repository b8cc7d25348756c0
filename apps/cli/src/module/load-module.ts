import { readFile, stat } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  Decision,
  DecisionHost,
  DecisionSource,
  LoadedSet,
  ProfileSource,
  SourceLoad,
  VersionPolicy,
} from "@decern/core";
import { decisionKind } from "@decern/core/options";
import { isJsonObject } from "@decern/core/schema";
import { createGeneration, isDecision, parseProfileKey, sourceOf } from "@decern/core/tools";
import type { ServerOptions } from "@decern/server";
import { CommandError } from "../command-line/command.js";
import { sentenceOf } from "../text/text.js";

export interface DecisionModule {
  /** Absolute. */
  readonly path: string;
  readonly decisions: readonly Decision[];
  /** By decision id, as `createServer` takes them. */
  readonly profiles?: Readonly<Record<string, unknown>>;
  readonly versions?: Readonly<Record<string, VersionPolicy | undefined>>;
  readonly server?: ModuleServerOptions;
  /** Where decisions come from, if a command asked for what changes. `decisions` has those that never do. */
  readonly source?: DecisionSource;
}

/** `createServer` checks them. */
type ModuleServerOptions = Omit<ServerOptions, "decisions">;

/**
 * Loads the module that a command was called with. It exports `decisions`, and may export `profiles`, `versions` and `server`:
 * by name, or in a default export. A DMN model stands for a module of its decisions. Where `decisions` is what `watchDecisions`
 * made, its present set is loaded.
 *
 * @param isLive - whether to return that source in place of its set
 * @throws CommandError when it cannot be loaded, or exports something else
 */
export async function loadModule(path: string, cwd: string, isLive = false): Promise<DecisionModule> {
  const file = resolve(cwd, path);
  if (extname(path).toLowerCase() === ".dmn") {
    const { loadDmnFile } = await import("./dmn-files.js");
    return { path: file, decisions: await loadDmnFile(path, cwd) };
  }
  const found = exportsOf(await importModule(path, cwd));
  if (found === undefined) {
    throw new CommandError(
      `${path} does not export "decisions"; add, for example, export const decisions = [yourDecision]`,
    );
  }
  try {
    const source = sourceOf("decision-source", found["decisions"]);
    if (source === undefined) return moduleOf(file, found);
    if (isLive) return { ...moduleOf(file, { ...found, decisions: source.fixed }, true), source };
    const { decisions, profiles = found["profiles"] } = await loadOnce(source);
    return moduleOf(file, { ...found, decisions, profiles });
  } catch (cause) {
    throw new CommandError(`${path}: ${sentenceOf(cause)}`, { cause });
  }
}

/**
 * What a module exports.
 *
 * @throws CommandError when it cannot be loaded
 */
export async function importModule(path: string, cwd: string): Promise<unknown> {
  const file = resolve(cwd, path);
  await checkFile(file, path);
  try {
    return await importFile(file);
  } catch (cause) {
    throw new CommandError(`cannot load ${path}: ${sentenceOf(cause)}`, { cause });
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
  for (let depth = 0; depth < 3 && isJsonObject(candidate); depth += 1) {
    if (candidate["decisions"] !== undefined) return candidate;
    candidate = candidate["default"];
  }
  return undefined;
}

function moduleOf(
  path: string,
  { decisions, profiles, versions, server }: Exports,
  isPartial = false,
): DecisionModule {
  if (!Array.isArray(decisions)) throw new CommandError('"decisions" must be a list');
  for (const [index, decision] of decisions.entries()) {
    const [problem] = decisionKind(decision, "");
    if (problem !== undefined) throw new CommandError(`decisions[${index}] ${problem.message}`);
  }
  const list = decisions.filter(isDecision);
  const options = objectOrNothing(server, '"server" must be an object of options');
  // The server's versions hold for the other commands as well, unless the module has its own.
  const policies = objectOrNothing(
    versions ?? options?.["versions"],
    '"versions" must be an object by decision id',
  );
  const own = objectOrNothing(profiles, '"profiles" must be an object by decision id');
  // `createGeneration` checks the policies, and `createServer` its options: a wrong one is rejected before it is read.
  const module = {
    path,
    decisions: list,
    ...(own === undefined ? {} : { profiles: own }),
    ...(policies === undefined ? {} : { versions: policies }),
    ...(options === undefined ? {} : { server: options }),
  } as DecisionModule;
  if (!isPartial) createGeneration(list, own, module.versions);
  return module;
}

function objectOrNothing(value: unknown, message: string): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || isJsonObject(value)) return value;
  throw new CommandError(message);
}

const localImport = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;

const extensions = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"];

/** Of a module and its imports. */
export const mostFiles = 200;

/** Larger ones are generated. */
const mostBytes = 1_000_000;

/** The text of a module and of the files that it imports by a relative path, by path, in the order of the imports. */
export async function moduleFiles(path: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const files = new Set([path]);
  // A set that grows while it is read is read to its end.
  for (const file of files) {
    const text = await sourceText(file);
    if (text === undefined) continue;
    texts.set(file, text);
    for (const [, specifier = ""] of text.matchAll(localImport)) {
      const imported = await importedFile(resolve(dirname(file), specifier));
      if (imported !== undefined && files.size < mostFiles) files.add(imported);
    }
  }
  return texts;
}

/** The text of a source; `undefined` for another kind of file, and for one that is too large. */
export async function sourceText(file: string): Promise<string | undefined> {
  if (!extensions.includes(extname(file))) return undefined;
  const stats = await stat(file).catch(() => undefined);
  return stats === undefined || stats.size > mostBytes ? undefined : await readFile(file, "utf8");
}

/** TypeScript is imported by the name that it is compiled to, or without an extension. */
export async function importedFile(path: string): Promise<string | undefined> {
  const { length } = extname(path);
  const written = extensions.includes(extname(path)) ? path.slice(0, -length) : path;
  const candidates = [path, ...extensions.flatMap((end) => [written + end, `${path}/index${end}`])];
  for (const file of candidates) {
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() === true) return file;
  }
  return undefined;
}

type Profiles = Readonly<Record<string, unknown>>;

/** The profiles of decisions and of those that they use. A worker doesn't need the others. */
export function profilesOf(decisions: readonly Decision[], profiles: Profiles = {}): Profiles {
  const all = decisions.flatMap(withUsed);
  const isKnown = (text: string): boolean => {
    const key = parseProfileKey(text);
    return all.some(({ id, version }) => id === key?.id && (key.version ?? version) === version);
  };
  return Object.fromEntries(Object.entries(profiles).filter(([key]) => isKnown(key)));
}

/** A decision and those that it uses, at every depth. */
export function withUsed(decision: Decision): readonly Decision[] {
  return [decision, ...decision.uses.flatMap(withUsed)];
}

/**
 * Loads what a source has now, for commands that evaluate with one set.
 *
 * @throws the error of the load
 */
async function loadOnce(source: DecisionSource): Promise<{
  readonly decisions: NonNullable<LoadedSet["decisions"]>;
  readonly profiles: Profiles | undefined;
}> {
  const { decisions = [], profiles } = await firstOf((host) => source.watch(host));
  const own = source.profiles;
  const from = sourceOf("profile-source", own);
  const loaded = from === undefined ? undefined : await firstOf((host) => from.watch(host));
  const given = from === undefined && isJsonObject(own) ? own : undefined;
  return { decisions: [...source.fixed, ...decisions], profiles: profiles ?? loaded?.profiles ?? given };
}

async function firstOf(
  watch: (host: DecisionHost) => ReturnType<ProfileSource["watch"]>,
): Promise<LoadedSet> {
  let stop = async (): Promise<void> => {};
  try {
    return await new Promise<LoadedSet>((accept, reject) => {
      const onLoad = (load: SourceLoad): void => {
        if (load.outcome === "failed") reject(load.error);
      };
      // Nothing is in use that a set could change.
      const candidate = () => ({ decisions: [], profiles: {}, versions: {}, changed: [] });
      const watching = watch({ candidate, accept, onLoad });
      stop = () => watching.stop();
    });
  } finally {
    await stop();
  }
}
