import { importsOf, isOffered, type OfferedModule } from "../base/modules.js";
import type { Source } from "../engine/messages.js";
import type { LoadFiles } from "../sandbox/sandbox.js";

/** What the build says of the files that a worker needs. */
export interface EngineManifest {
  /** The script of the worker. */
  readonly script: string;
  /** The file with the engine. */
  readonly engine: string;
  /** The file of each module that code can import. */
  readonly modules: Readonly<Record<string, string>>;
  /** The files that each file imports. */
  readonly imports: Readonly<Record<string, readonly string[]>>;
}

/** An example of the guides, as the build lists them. */
export interface ListedExample {
  readonly title: string;
  readonly fragment: string;
}

/** Loads the files that a source needs, each once. @param folder - the URL of the folder that has them, with a slash at its end */
export function filesIn(folder: string): LoadFiles {
  const texts = new Map<string, Promise<string>>();
  const textOf = (name: string): Promise<string> => {
    const known = texts.get(name) ?? loadText(`${folder}${name}`);
    texts.set(name, known);
    // The next attempt loads it again.
    known.catch(() => texts.delete(name));
    return known;
  };
  return async (source) => {
    // Holds: the build writes it.
    const manifest = JSON.parse(await textOf("manifest.json")) as EngineManifest;
    const { engine, modules } = manifest;
    const entries = modulesOf(source).flatMap((name) => modules[name] ?? []);
    const names = [...withImports([engine, ...entries], manifest)];
    const [script = "", ...files] = await Promise.all([manifest.script, ...names].map(textOf));
    const named = Object.fromEntries(names.map((name, index) => [name, files[index] ?? ""]));
    return { script, files: { files: named, modules, engine } };
  };
}

/** The packages that the code imports, and the one that reads its table. */
function modulesOf({ module, table }: Source): readonly OfferedModule[] {
  const imported = importsOf(module).filter(isOffered);
  return table === undefined ? imported : [...imported, "@decern/table"];
}

function withImports(names: readonly string[], { imports }: EngineManifest): ReadonlySet<string> {
  const all = new Set<string>();
  const add = (name: string): void => {
    if (all.has(name)) return;
    all.add(name);
    imports[name]?.forEach(add);
  };
  names.forEach(add);
  return all;
}

async function loadText(url: string): Promise<string> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok !== true) throw new Error("The playground could not load its files. Reload the page.");
  return response.text();
}
