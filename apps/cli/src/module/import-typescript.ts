import { tsImport } from "tsx/esm/api";
import { configOf } from "./config-of.js";

/** Where tsx looks for the configuration of CommonJS modules. It has no option for that. */
const variable = "TSX_TSCONFIG_PATH";

/** Imports a TypeScript module as its own project compiles it, wherever the command was started. */
export async function importTypeScript(url: string, file: string): Promise<unknown> {
  const config = configOf(file);
  const earlier = process.env[variable];
  if (config !== undefined) process.env[variable] = config;
  // It reads the variable at once, and must not hand it on to the programs that a module may start.
  const imported = tsImport(url, { parentURL: import.meta.url, tsconfig: config ?? false });
  if (earlier === undefined) delete process.env[variable];
  else process.env[variable] = earlier;
  return await imported;
}
