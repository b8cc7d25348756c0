import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createFilesMatcher, parseTsconfig } from "get-tsconfig";
import { tsImport } from "tsx/esm/api";

/**
 * The configuration that a TypeScript file is compiled with: the nearest `tsconfig.json`, or, where that only lists
 * references, the first of them that includes the file.
 */
function configOf(file: string): string | undefined {
  const nearest = nearestConfig(dirname(file));
  return nearest === undefined ? undefined : (referencedConfig(nearest, file) ?? nearest);
}

function nearestConfig(folder: string): string | undefined {
  const config = join(folder, "tsconfig.json");
  if (existsSync(config)) return config;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestConfig(parent);
}

function referencedConfig(config: string, file: string): string | undefined {
  const { files, references = [] } = parseTsconfig(config);
  if (files?.length !== 0) return undefined;
  for (const { path } of references) {
    const target = resolve(dirname(config), path);
    const referenced = isFolder(target) ? join(target, "tsconfig.json") : target;
    if (!existsSync(referenced)) continue;
    const includes = createFilesMatcher({ path: referenced, config: parseTsconfig(referenced) });
    if (includes(file) !== undefined) return referenced;
  }
  return undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Where tsx looks for the configuration of CommonJS modules. It has no option for that. */
const variable = "TSX_TSCONFIG_PATH";

/** Imports a TypeScript module as its own project compiles it, wherever the command was started. */
export async function importTypeScript(url: string, file: string): Promise<unknown> {
  const config = configOf(file);
  const earlier = process.env[variable];
  if (config !== undefined) process.env[variable] = config;
  // tsx reads the variable immediately. Programs that the module starts must not inherit it.
  const imported = tsImport(url, { parentURL: import.meta.url, tsconfig: config ?? false });
  if (earlier === undefined) delete process.env[variable];
  else process.env[variable] = earlier;
  return await imported;
}
