import {
  type Awaitable,
  DecernError,
  type Decision,
  type DecisionContract,
  type DecisionFile,
  type DecisionHost,
  extractDecisionSchema,
  type LoadedSet,
  type Problem,
  type SetCandidate,
  type SourceLoad,
} from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { canonicalJson, isThenable } from "@decern/core/tools";
import { activationOf, decoded, parsedJson } from "./document.js";
import { digestOf, type Format, notLoaded, type Place, type ReadFile, type ReadSet } from "./place.js";

/** How the names of files end that a folder of decisions is read from. */
export const decisionEndings = [".json", ".csv", ".xlsx", ".dmn"] as const;

/** A document for a whole set: `{ revision?, activateAt?, decisions?, profiles? }`. */
interface SetDocument {
  readonly name: string;
  readonly set: Readonly<Record<string, unknown>>;
}

const setKeys: readonly string[] = ["revision", "activateAt", "decisions", "profiles"];

/** Files of decisions, and maybe one document for the whole set. */
export function decisionFormat(contracts: readonly DecisionContract[]): Format {
  return {
    part: "decisions",
    accept:
      "application/json, text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/xml",
    mostBytes: 64 * 1024 * 1024,
    read: (files, place) => {
      const opened = files.map((file) => openFile(file, place));
      const [document, other] = opened.flatMap((one) => ("set" in one ? [one] : []));
      if (document !== undefined && other !== undefined)
        throw notLoaded(place, `has two documents for the set, ${document.name} and ${other.name}`);
      const own = opened.flatMap((one) => ("set" in one ? [] : [one]));
      const { files: listed, ...set } = readSet(document, place);
      const digest = digestOf(files.map(({ bytes }) => bytes));
      const revision = digest?.slice(0, "sha256:".length + 12);
      return { revision, ...set, digest, ...decisionsIn([...listed, ...own], contracts, place) };
    },
  };
}

/** Where a file is, for messages: one of a folder has its own name too. */
function placeOf(name: string, place: Place): Place {
  return place.source === "folder" ? { ...place, name: `${name} in ${place.name}` } : place;
}

function openFile({ name, bytes }: ReadFile, set: Place): SetDocument | DecisionFile {
  const place = placeOf(name, set);
  const start = new TextDecoder().decode(bytes.subarray(0, 1000));
  if (/\S/.exec(start)?.[0] !== "{") return { name, bytes };
  const document = parsedJson(decoded(bytes, place), place);
  const isSet = isJsonObject(document) && Object.keys(document).every((key) => setKeys.includes(key));
  return isSet ? { name, set: document } : { name, document };
}

/** What a document says of the whole set. */
interface SetContent extends Pick<LoadedSet, "profiles" | "activateAtMs"> {
  readonly revision?: string;
  readonly files: readonly DecisionFile[];
}

function readSet(document: SetDocument | undefined, set: Place): SetContent {
  if (document === undefined) return { files: [] };
  const place = placeOf(document.name, set);
  const { revision, activateAt, decisions = [], profiles } = document.set;
  if (revision !== undefined && typeof revision !== "string")
    throw notLoaded(place, "has a wrong revision: it must be a string");
  if (profiles !== undefined && !isJsonObject(profiles))
    throw notLoaded(place, "has wrong profiles: they must be an object by decision id");
  if (!Array.isArray(decisions)) throw notLoaded(place, "has wrong decisions: they must be a list");
  const list: readonly unknown[] = decisions;
  return {
    ...(revision === undefined ? {} : { revision }),
    ...(profiles === undefined ? {} : { profiles }),
    activateAtMs: activationOf(activateAt, place),
    files: list.map((one, index) => ({ name: `${document.name}, decision ${index + 1}`, document: one })),
  };
}

/**
 * Makes the decisions of all contracts. What takes long to check is left to `check`.
 *
 * @throws DecernError `DECISIONS_NOT_LOADED` with every problem: of a file, a file that no contract holds, and a contract without a file
 */
export function decisionsIn(
  files: readonly DecisionFile[],
  contracts: readonly DecisionContract[],
  place: Place,
): Required<Pick<ReadSet, "decisions" | "check">> {
  const problems: Problem[] = [];
  const known = contracts.flatMap(({ ids }) => ids).join(", ");
  const [only, second] = contracts;
  // A single contract says best what is wrong with a file.
  const isOnly = only !== undefined && second === undefined;
  for (const file of files) {
    if (!isOnly && !contracts.some((contract) => contract.holds(file)))
      problems.push({ path: "/decisions", message: `${file.name} has no decision of ${known}` });
  }
  const checks: Check[] = [];
  const decisions = contracts.flatMap((contract) => {
    const own = isOnly ? files : files.filter((file) => contract.holds(file));
    const at = `/decisions/${contract.ids.map(escapePointer).join(",")}`;
    if (own.length === 0) {
      problems.push({ path: at, message: "is missing" });
      return [];
    }
    try {
      const made = contract.read(own);
      checks.push({ at, find: (signal) => contract.check?.(made, signal) ?? [] });
      return made;
    } catch (error) {
      if (!(error instanceof DecernError)) throw error;
      const found = error.problems.length > 0 ? error.problems : [{ path: "", message: error.message }];
      problems.push(...found.map(({ path, message }) => ({ path: at + path, message })));
      return [];
    }
  });
  if (problems.length > 0) throw wrong(place, problems);
  const judge = (found: readonly Problem[]) => (found.length === 0 ? undefined : wrong(place, found));
  return {
    decisions,
    check: (signal) => {
      const found = findAll(checks, signal);
      return isThenable(found) ? found.then(judge) : judge(found);
    },
  };
}

function wrong(place: Place, problems: readonly Problem[]): DecernError {
  return new DecernError(notLoaded(place, "").code, { detail: place.name, problems });
}

/** What one contract looks for in the decisions that it made. */
interface Check {
  readonly at: string;
  find(signal: AbortSignal | undefined): Awaitable<readonly Problem[]>;
}

/** One after the other: a contract may start a thread. */
function findAll(
  [check, ...others]: readonly Check[],
  signal: AbortSignal | undefined,
): Awaitable<readonly Problem[]> {
  if (check === undefined) return [];
  const own = check.find(signal);
  const withOthers = (found: readonly Problem[]): Awaitable<readonly Problem[]> => {
    const before = found.map(({ path, message }) => ({ path: check.at + path, message }));
    const rest = findAll(others, signal);
    return isThenable(rest) ? rest.then((after) => [...before, ...after]) : [...before, ...rest];
  };
  return isThenable(own) ? own.then(withOthers) : withOthers(own);
}

/** Every version of each id, the newest first. */
type Versions = ReadonlyMap<string, readonly Decision[]>;

interface KeptOptions {
  readonly contract: "same" | "any";
  /** How many earlier versions stay. */
  readonly keepVersions: number;
  readonly sameVersion: "refuse" | "allow";
}

/**
 * Stands between a source and its host, and adds the versions before to each set. A decision that did not change stays the same
 * object, so that what was made for it does.
 */
export class KeptVersions implements DecisionHost {
  readonly #host: DecisionHost;
  readonly #options: KeptOptions;
  #inUse: Versions = new Map();
  #waiting: { readonly versions: Versions; readonly atMs: number } | undefined;

  constructor(host: DecisionHost, options: KeptOptions) {
    this.#host = host;
    this.#options = options;
  }

  candidate(set: LoadedSet): SetCandidate | undefined {
    return this.#host.candidate({ ...set, decisions: [...this.#versionsOf(set).values()].flat() });
  }

  accept(set: LoadedSet): void {
    const nowMs = Date.now();
    const versions = this.#versionsOf(set);
    this.#host.accept({ ...set, decisions: [...versions.values()].flat() });
    const { activateAtMs } = set;
    this.#waiting = undefined;
    if (activateAtMs !== undefined && nowMs < activateAtMs) this.#waiting = { versions, atMs: activateAtMs };
    else this.#inUse = versions;
  }

  #versionsOf({ decisions = [] }: LoadedSet): Versions {
    if (this.#waiting !== undefined && Date.now() >= this.#waiting.atMs) this.#inUse = this.#waiting.versions;
    const problems: Problem[] = [];
    const versions: Versions = new Map(
      decisions.map((decision) => [decision.id, this.#withEarlier(decision, problems)] as const),
    );
    if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "watchDecisions", problems });
    return versions;
  }

  onLoad(load: SourceLoad): void {
    this.#host.onLoad(load);
  }

  #withEarlier(decision: Decision, problems: Problem[]): readonly Decision[] {
    const { id, version, contentHash } = decision;
    const { contract, keepVersions, sameVersion } = this.#options;
    const earlier = this.#inUse.get(id) ?? [];
    const same = earlier.find((one) => one.version === version);
    const [latest] = earlier;
    if (contract === "same" && latest !== undefined && !hasSameSchemas(latest, decision)) {
      const message = "has other schemas than the version that is in use";
      problems.push({ path: `/decisions/${id}`, message });
    }
    const isUnchanged = same !== undefined && contentHash !== undefined && same.contentHash === contentHash;
    if (same !== undefined && !isUnchanged && sameVersion === "refuse") {
      const message = `has other content than the version ${version} that is in use; give it a new version`;
      problems.push({ path: `/decisions/${id}`, message });
    }
    const others = earlier.filter((one) => one !== same);
    return [isUnchanged ? same : decision, ...others.slice(0, keepVersions)];
  }
}

function hasSameSchemas(one: Decision, other: Decision): boolean {
  const isSame = (name: "inputSchema" | "outputSchema" | "profileSchema"): boolean =>
    one[name] === other[name];
  if (isSame("inputSchema") && isSame("outputSchema") && isSame("profileSchema")) return true;
  return schemasOf(one) === schemasOf(other);
}

function schemasOf(decision: Decision): string | undefined {
  const { inputSchema, outputSchema, profileSchema } = extractDecisionSchema(decision);
  return canonicalJson({ inputSchema, outputSchema, profileSchema });
}
