import {
  DecernError,
  type Decision,
  type DecisionContract,
  type DecisionFile,
  type Problem,
} from "@decern/core";
import { contentOf, documentsOf, loadDmn } from "./load-dmn.js";
import { checkIds, type DmnDocument, type DmnOptions, settingsOf } from "./options.js";

/**
 * Declares which decisions files of DMN have, for `watchDecisions` of `@decern/watch`. All files together are one set of documents,
 * which may import each other. Other decisions of theirs are parts of these.
 *
 * @param ids - as `loadDmn` makes them
 * @param options - `version` is by default the first twelve digits of the content's hash, so that no content changes under a version
 * @throws DecernError `INVALID_OPTIONS`
 *
 * @example
 * ```ts
 * import { dmnContract } from "@decern/dmn";
 * import { watchDecisions } from "@decern/watch";
 *
 * const decisions = watchDecisions({ file: "/etc/decern/lending.dmn", contracts: [dmnContract(["Routing"])] });
 * ```
 */
export function dmnContract(ids: readonly string[], options: DmnOptions = {}): DecisionContract {
  checkIds(ids);
  settingsOf(options);
  const own = Object.freeze([...ids]);
  return Object.freeze({
    ids: own,
    holds,
    read: (files: readonly DecisionFile[]) => read(files, own, options),
  });
}

function read(
  files: readonly DecisionFile[],
  ids: readonly string[],
  options: DmnOptions,
): readonly Decision[] {
  const problems: Problem[] = [];
  const documents = files.flatMap((file) => documentsIn(file, problems));
  if (problems.length > 0) throw new DecernError("INVALID_DECISION", { problems });
  const { version = contentOf(documents).hash.slice("sha256:".length).slice(0, 12) } = options;
  const made = new Map(loadDmn(documents, { ...options, version }).map((each) => [each.id, each]));
  return ids.map((id) => {
    const decision = made.get(id);
    if (decision !== undefined) return decision;
    const message = `no document has the decision ${id}; there are ${[...made.keys()].join(", ")}`;
    throw new DecernError("INVALID_DECISION", { problems: [{ path: "", message }] });
  });
}

/** XML, or the documents of a decision as a log keeps them. */
function holds(file: DecisionFile): boolean {
  if ("document" in file) return documentsOf(file.document).length > 0;
  const start = new TextDecoder().decode(file.bytes.subarray(0, 1000));
  return file.name.endsWith(".dmn") || start.trimStart().startsWith("<");
}

function documentsIn(file: DecisionFile, problems: Problem[]): readonly DmnDocument[] {
  if ("document" in file) {
    const documents = documentsOf(file.document);
    if (documents.length === 0) problems.push({ path: "", message: `${file.name} has no documents of DMN` });
    return documents;
  }
  // Content is the same on every machine.
  const name = file.name.replace(/^.*[/\\]/, "");
  try {
    return [{ name, text: new TextDecoder("utf-8", { fatal: true }).decode(file.bytes) }];
  } catch {
    problems.push({ path: "", message: `${file.name} is not text in UTF-8` });
    return [];
  }
}
