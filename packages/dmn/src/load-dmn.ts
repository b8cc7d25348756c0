import {
  DecernError,
  type Decision,
  defineDecision,
  type Logic,
  type LogicContent,
  type Schema,
} from "@decern/core";
import { isJsonObject, memberOf } from "@decern/core/schema";
import { canonicalForm, neverThrowing } from "@decern/core/tools";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { typeSchema } from "./contract/type-schema.js";
import { type Contract, logicOf } from "./decision-logic.js";
import type { Linked, ModelProblem, ModelWarning } from "./graph/link.js";
import type { ModelProgram } from "./graph/program.js";
import { inputsOf } from "./graph/tables.js";
import {
  checkDocuments,
  type DmnDocument,
  type DmnOptions,
  limitsOf,
  type Settings,
  settingsOf,
} from "./options.js";
import { readProgram, refuseProblems } from "./read-program.js";
import { anyType } from "./values/type.js";
import type { Type } from "./values/value.js";

const mediaType = "application/vnd.decern.dmn+json";

/**
 * Makes a decision of each decision and each decision service of models.
 *
 * Input data are the input's fields. A result that is not a context is `{ "<decision's name>": value }`. Ids are names, with `-` for
 * what an id can't have. Rule ids are `<decision>/<row>`, and the decision's name where no table decides.
 *
 * @throws DecernError `INVALID_OPTIONS`
 * @throws DecernError `INVALID_DECISION`, with every problem: the path is `/<document>`, and the message names the element and line
 */
export function loadDmn(documents: readonly DmnDocument[], options: DmnOptions = {}): readonly Decision[] {
  const settings = settingsOf(options);
  checkDocuments(documents);
  const loaded = load(documents, settings);
  const { version } = settings;
  return loaded.contracts.map((contract): Decision => {
    const { linked, limits, result, wrapper, inputs, profile, program } = contract;
    const fields = (names: ReadonlyMap<string, Linked>): Schema =>
      typeSchema(
        { kind: "context", entries: new Map([...names].map(([name, each]) => [name, program.typeOf(each)])) },
        limits,
        false,
      );
    const output: Type =
      wrapper === undefined ? result : { kind: "context", entries: new Map([[wrapper, result]]) };
    return defineDecision<Schema, Schema, Schema, string>({
      id: idOf(linked),
      version,
      ...(linked.element.description === undefined ? {} : { description: linked.element.description }),
      inputSchema: fields(inputs),
      outputSchema: typeSchema(output, limits, wrapper === undefined),
      profileSchema: fields(profile),
      logic: logicFor(contract, loaded.content, settings),
    });
  });
}

interface Loaded {
  readonly contracts: readonly Contract[];
  readonly content: LogicContent;
}

function load(documents: readonly DmnDocument[], settings: Settings): Loaded {
  const { contracts, problems } = compileModels(documents, settings);
  refuseProblems(problems, documents);
  refuseUnknownProfile(contracts, settings);
  return { contracts, content: contentOf(documents) };
}

/** What documents come to. Nothing but their problems, if they have any. */
export function compileModels(
  documents: readonly DmnDocument[],
  settings: Settings,
): {
  readonly contracts: readonly Contract[];
  readonly problems: readonly ModelProblem[];
  readonly warnings: readonly ModelWarning[];
} {
  const { program, problems, warnings } = readProgram(documents, settings.dialect);
  if (program === undefined) return { contracts: [], problems, warnings };
  const contracts = program.elements
    .filter(({ element }) => element.kind === "decision" || element.kind === "service")
    .map((linked) => contractOf(linked, program, settings));
  return { contracts, problems: ambiguitiesOf(contracts), warnings };
}

function idOf({ element }: Linked): string {
  return element.name.replace(/[^A-Za-z0-9._~-]+/g, "-").slice(0, 100);
}

function contractOf(linked: Linked, program: ModelProgram, settings: Settings): Contract {
  const fromProfile = new Set(settings.profile);
  const inputs = new Map<string, Linked>();
  const profile = new Map<string, Linked>();
  for (const input of inputsOf(linked, program)) {
    const { name } = input.element;
    (fromProfile.has(name) ? profile : inputs).set(name, input);
  }
  const result = resultTypeOf(linked, program);
  const logger = neverThrowing(settings.logger);
  return {
    linked,
    program,
    inputs,
    profile,
    result,
    wrapper: isObject(result) ? undefined : linked.element.variable.name,
    limits: limitsOf(settings),
    warn: (warnings, { requestId }) =>
      logger.warn(
        { decision: idOf(linked), requestId, warnings },
        "The evaluation of a DMN decision has warnings",
      ),
  };
}

/** What a model declares. Without a declaration, a result may be anything, null included. */
function resultTypeOf(linked: Linked, program: ModelProgram): Type {
  const { element } = linked;
  if (element.kind !== "service") {
    const type = program.typeOf(linked);
    return element.variable.typeRef === undefined ? anyType : type;
  }
  const outputs = program.outputsOf(linked);
  const [only] = outputs;
  if (outputs.length === 1 && only !== undefined) return resultTypeOf(only, program);
  return {
    kind: "context",
    entries: new Map(outputs.map((output) => [output.element.variable.name, resultTypeOf(output, program)])),
  };
}

function isObject(type: Type): boolean {
  return type.kind === "restricted" ? isObject(type.base) : type.kind === "context";
}

function ambiguitiesOf(contracts: readonly Contract[]): readonly ModelProblem[] {
  const problems: ModelProblem[] = [];
  const seen = new Map<string, Linked>();
  const report = (linked: Linked, message: string): void => {
    const { element, model } = linked;
    problems.push({ file: model.file, line: element.line, element: element.name, message });
  };
  for (const { linked, program } of contracts) {
    const id = idOf(linked);
    if (seen.has(id)) report(linked, `would have the id ${id}, which another decision has`);
    seen.set(id, linked);
    const names = inputsOf(linked, program).map(({ element }) => element.name);
    if (new Set(names).size < names.length) report(linked, "requires two inputs of one name");
  }
  return problems;
}

function refuseUnknownProfile(contracts: readonly Contract[], settings: Settings): void {
  const inputs = new Set(contracts.flatMap(({ profile }) => [...profile.keys()]));
  const unknown = (settings.profile ?? []).flatMap((name, index) =>
    inputs.has(name)
      ? []
      : [{ path: `/profile/${index}`, message: `no decision requires the input ${JSON.stringify(name)}` }],
  );
  if (unknown.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "loadDmn", problems: unknown });
}

/** Of documents that a decision log kept, the same decision is made. */
function logicFor(contract: Contract, content: LogicContent, settings: Settings): Logic {
  return logicOf(contract, content, (document) => {
    const loaded = load(documentsOf(document), settings);
    const id = idOf(contract.linked);
    const other = loaded.contracts.find(({ linked }) => idOf(linked) === id);
    if (other === undefined)
      throw new DecernError("INVALID_DECISION", {
        detail: JSON.stringify(id),
        problems: [{ path: "", message: "has no such decision" }],
      });
    return logicFor(other, loaded.content, settings);
  });
}

export function contentOf(documents: readonly DmnDocument[]): LogicContent {
  const document = { documents: documents.map(({ name, text }) => ({ name, text })) };
  const canonical = canonicalForm(document) ?? JSON.stringify(document);
  return { hash: `sha256:${bytesToHex(sha256(utf8ToBytes(canonical)))}`, mediaType, document };
}

/** What {@link contentOf} has made; nothing of other documents. */
export function documentsOf(document: unknown): readonly DmnDocument[] {
  const list = memberOf(document, "documents");
  if (!Array.isArray(list)) return [];
  return list.flatMap((each: unknown) => {
    const [name, text] = isJsonObject(each) ? [each["name"], each["text"]] : [];
    return typeof name === "string" && typeof text === "string" ? [{ name, text }] : [];
  });
}
