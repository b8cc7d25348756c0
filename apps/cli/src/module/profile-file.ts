import { DecernError, type Decision, type JsonSchema, type Problem, toJsonSchema } from "@decern/core";
import { createService } from "@decern/core/host";
import { escapePointer, isJsonObject, schemaNodes } from "@decern/core/schema";
import { parseProfileKey } from "@decern/core/tools";
import { readProfileDocument } from "@decern/watch";
import { CommandError, type CommandIo } from "../command-line/command.js";
import { parsedJson, readText } from "../command-line/files.js";
import { closest } from "../text/text.js";
import { type DecisionModule, profilesOf, withUsed } from "./load-module.js";

type Path = readonly (string | number)[];

/**
 * Finds members of a value that its schema does not name and does not reject: most often, a name with a typing mistake. A schema
 * without a JSON Schema names nothing, and one that allows other members on purpose ignores none.
 *
 * @param path - of the value, for the pointers that are returned
 */
function ignoredKeys(schema: Decision["profileSchema"], value: unknown, path: Path): readonly Problem[] {
  let root: JsonSchema;
  try {
    root = toJsonSchema(schema, "input");
  } catch {
    return [];
  }
  return ignoredAt(value, schemaNodes(root, root), root, path);
}

function ignoredAt(
  value: unknown,
  nodes: readonly JsonSchema[],
  root: JsonSchema,
  path: Path,
): readonly Problem[] {
  const nodesOf = (schemas: readonly unknown[]): readonly JsonSchema[] =>
    schemas.flatMap((schema) => schemaNodes(schema, root));
  if (Array.isArray(value)) {
    const items = nodesOf(nodes.map((node) => node["items"]));
    return value.flatMap((item, index) => ignoredAt(item, items, root, [...path, index]));
  }
  if (!isJsonObject(value)) return [];
  const shapes = nodes.filter(takesObjects);
  return Object.entries(value).flatMap(([name, member]) => {
    const named = shapes.filter((node) => Object.hasOwn(propertiesOf(node), name));
    const at = [...path, name];
    if (named.length > 0) {
      const below = nodesOf(named.map((node) => propertiesOf(node)[name]));
      return ignoredAt(member, below, root, at);
    }
    if (shapes.length > 0 && shapes.every(ignoresOthers)) return [ignored(at, shapes)];
    const others = nodesOf(shapes.map(({ additionalProperties }) => additionalProperties));
    return ignoredAt(member, others, root, at);
  });
}

function ignored(path: Path, shapes: readonly JsonSchema[]): Problem {
  const near = closest(
    String(path.at(-1)),
    shapes.flatMap((node) => Object.keys(propertiesOf(node))),
  );
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return {
    path: path.map((key) => `/${escapePointer(String(key))}`).join(""),
    message: `is ignored, because the profile schema does not name it${hint}`,
  };
}

function takesObjects({ type, const: constant, enum: listed }: JsonSchema): boolean {
  if (type !== undefined) return Array.isArray(type) ? type.includes("object") : type === "object";
  return constant === undefined && listed === undefined;
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  return isJsonObject(properties) ? properties : {};
}

function ignoresOthers(node: JsonSchema): boolean {
  const { additionalProperties, patternProperties, unevaluatedProperties, propertyNames } = node;
  const others = [additionalProperties, patternProperties, unevaluatedProperties, propertyNames];
  return Object.keys(propertiesOf(node)).length > 0 && others.every((keyword) => keyword === undefined);
}

/** A file of profiles, as `decern serve --profiles` reads it: a map by decision id, or one with a revision. */
export interface ProfileFile {
  readonly name: string;
  readonly profiles: Readonly<Record<string, unknown>>;
  /** JSON Pointer to the map in the file. */
  readonly pointer: "" | "/profiles";
}

export interface ProfileCheck {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** What `--profiles` gives, if anything. @throws CommandError as `readProfileFile` does */
export async function givenProfiles(
  { profiles: path }: { readonly profiles: string | undefined },
  io: CommandIo,
): Promise<ProfileFile | undefined> {
  return path === undefined ? undefined : await readProfileFile(path, io);
}

/** @throws CommandError for a file that cannot be read, or holds something else than a map */
export async function readProfileFile(
  path: string,
  io: Pick<CommandIo, "stdin" | "cwd">,
): Promise<ProfileFile> {
  const { name, content } = await readText(path, io);
  const whole = parsedJson(content, name);
  if (!isJsonObject(whole)) {
    throw new CommandError(`${name} must hold a JSON object of profiles by decision id`);
  }
  try {
    const { profiles, revision } = readProfileDocument(content, name);
    return { name, profiles, pointer: revision === undefined ? "" : "/profiles" };
  } catch (cause) {
    if (!(cause instanceof DecernError)) throw cause;
    throw new CommandError(cause.message, { cause });
  }
}

/**
 * The module with the profiles of a file laid over its own, key by key.
 *
 * @throws CommandError for a file that a server would reject
 */
export function withProfiles(module: DecisionModule, file: ProfileFile | undefined): DecisionModule {
  if (file === undefined) return module;
  const bare = bareProfile(module, file);
  if (bare !== undefined) throw new CommandError(`${file.name} ${bare}`);
  const profiles = { ...module.profiles, ...file.profiles };
  const { decisions, versions, server } = module;
  const options = { decisions, versions, profiles, shadow: server?.shadow, logger: silent };
  const problems = problemsOf(file, () => {
    createService("profiles", options, { override: "replace" });
  });
  if (problems.length > 0) throw new CommandError(`${file.name}: ${problems.map(problemText).join("; ")}`);
  // A candidate that is only evaluated in shadow mode has no other command.
  return { ...module, profiles: profilesOf(decisions, profiles) };
}

const silent = { warn: () => {}, error: () => {} };

/** Finds everything for which a server of the module would reject the file, and what it would ignore. */
export function checkProfileFile(module: DecisionModule, file: ProfileFile): ProfileCheck {
  const bare = bareProfile(module, file);
  if (bare !== undefined) return { problems: [{ path: "", message: bare }], warnings: [] };
  const { decisions, versions, server = {} } = module;
  const { shadow, callerProfiles, profileResolver, hooks } = server;
  const warnings: Problem[] = [];
  const logger = {
    ...silent,
    // Profiles that callers must send.
    warn: (details: object) => {
      if ("problems" in details && Array.isArray(details.problems)) warnings.push(...details.problems);
    },
  };
  const profiles = { ...module.profiles, ...file.profiles };
  const options = { decisions, profiles, versions, shadow, callerProfiles, profileResolver, hooks, logger };
  const problems = problemsOf(file, () => {
    createService("profiles", options, { override: server.profileOverride ?? "replace" });
  });
  return {
    problems,
    warnings: [...warnings, ...ignoredIn(module, file)].map((problem) => inFile(problem, file)),
  };
}

/** Such as `/loan/minScore: must be a number`. */
export function problemText({ path, message }: Problem): string {
  return path === "" ? message : `${path}: ${message}`;
}

function problemsOf(file: ProfileFile, check: () => void): readonly Problem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof DecernError) || error.code !== "INVALID_OPTIONS") throw error;
    return error.problems.map((problem) => inFile(problem, file));
  }
}

/** Hosts report paths in the option `profiles`. */
function inFile({ path, message }: Problem, { pointer }: ProfileFile): Problem {
  return { path: path.startsWith("/profiles/") ? pointer + path.slice("/profiles".length) : path, message };
}

/** What is wrong with a file that has no profile for any decision of the module; most often, it holds a profile itself. */
function bareProfile(
  { decisions, server }: DecisionModule,
  { profiles, pointer }: ProfileFile,
): string | undefined {
  const keys = Object.keys(profiles);
  const shadows = Object.keys(server?.shadow ?? {});
  const ids = new Set([...decisions.flatMap(withUsed).map(({ id }) => id), ...shadows]);
  const [first] = keys;
  if (first === undefined || keys.some((key) => ids.has(parseProfileKey(key)?.id ?? ""))) return undefined;
  const meant = closest(parseProfileKey(first)?.id ?? first, [...ids]);
  if (meant !== undefined) {
    return `has a profile for ${JSON.stringify(first)}, which is not a decision of the module; did you mean ${meant}?`;
  }
  const [id = ""] = ids;
  const map = `{ ${JSON.stringify(id)}: { ${JSON.stringify(first)}: … } }`;
  const shown = pointer === "" ? map : `{ "revision": …, "profiles": ${map} }`;
  return `has a profile for no decision of the module (${[...ids].join(", ")}); write each profile under its decision's id, such as ${shown}`;
}

function ignoredIn({ decisions }: DecisionModule, { profiles }: ProfileFile): readonly Problem[] {
  const found = new Map<string, Problem>();
  const all = decisions.flatMap(withUsed);
  for (const [key, profile] of Object.entries(profiles)) {
    const named = parseProfileKey(key);
    // A key without a version is for all of them: what one of them reads is not ignored.
    const lists = all
      .filter(({ id, version }) => id === named?.id && (named.version ?? version) === version)
      .map(({ profileSchema }) => ignoredKeys(profileSchema, profile, ["profiles", key]));
    const [first = [], ...others] = lists;
    for (const problem of first) {
      if (others.every((list) => list.some(({ path }) => path === problem.path))) {
        found.set(problem.path, problem);
      }
    }
  }
  return [...found.values()];
}
