import { readdir, stat } from "node:fs/promises";
import { dirname, extname, join, relative, resolve } from "node:path";
import { CommandError } from "../command-line/command.js";
import { importedFile, mostFiles, sourceText } from "../module/load-module.js";
import { Sources } from "./find-functions.js";
import { type Finding, RuleLinter } from "./rule-linter.js";
import { parseSource, relativeImports, type SourceFile } from "./source-file.js";

export interface LintResult {
  readonly files: number;
  readonly rules: number;
  readonly findings: readonly Finding[];
}

/**
 * Lints the rules in files, and what these call in other files.
 *
 * @param paths - files, and folders of them
 * @throws CommandError for what cannot be read
 */
export async function lintFiles(paths: readonly string[], cwd: string): Promise<LintResult> {
  const files = new Set<string>();
  for (const path of paths) for (const file of await filesOf(resolve(cwd, path), path)) files.add(file);
  const sources = await withImports(files, cwd);
  const linter = new RuleLinter(new Sources(sources));
  for (const [path, source] of sources) if (files.has(path)) linter.lint(source);
  const findings = linter.findings.toSorted(
    (a, b) => a.file.localeCompare(b.file, "en") || a.line - b.line || a.column - b.column,
  );
  return { files: files.size, rules: linter.rules, findings };
}

const extension = /(?<!\.d)\.[cm]?[jt]sx?$/;

async function filesOf(path: string, written: string): Promise<readonly string[]> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) throw new CommandError(`cannot find ${written}`);
  if (!stats.isDirectory()) {
    if (extension.test(path)) return [path];
    throw new CommandError(`${written} is not JavaScript or TypeScript`);
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && extension.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/(^|[\\/])(node_modules|dist|\.[^\\/.][^\\/]*)[\\/]/.test(relative(path, file)))
    .sort();
}

/** Reads files, and those that they import by a relative path. */
async function withImports(
  files: ReadonlySet<string>,
  cwd: string,
): Promise<ReadonlyMap<string, SourceFile>> {
  const sources = new Map<string, SourceFile>();
  const known = new Set(files);
  // A set that grows while it is read is read to its end.
  for (const path of known) {
    const name = relative(cwd, path);
    const text = await sourceText(path);
    if (text === undefined) {
      if (files.has(path)) throw new CommandError(`${name} is larger than 1 MB`);
      continue;
    }
    const imports = new Map<string, string>();
    const source = parseSource(name, text, imports);
    sources.set(path, source);
    for (const specifier of relativeImports(source.program)) {
      const imported = await importedFile(resolve(dirname(path), specifier));
      if (imported === undefined || extname(imported) === ".json") continue;
      imports.set(specifier, imported);
      if (known.size < files.size + mostFiles) known.add(imported);
    }
  }
  return sources;
}
