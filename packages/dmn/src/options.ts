import { DecernError } from "@decern/core";
import {
  type Checked,
  checkedOptions,
  kinds,
  type OptionsOf,
  option,
  readOptions,
  requiredOption,
} from "@decern/core/options";
import type { Dialect } from "./graph/camunda.js";
import { defaultLimits, type Limits } from "./values/run.js";

const documentRows = {
  /** The name of its file, for messages */
  name: requiredOption(kinds.text),
  /** XML */
  text: requiredOption(kinds.text),
};

/** A document of DMN. */
export type DmnDocument = OptionsOf<typeof documentRows>;

const limitRows = {
  /** Operations, iterations, and what else takes time */
  steps: option(kinds.wholeNumber, defaultLimits.steps),
  /** Calls inside calls */
  depth: option(kinds.wholeNumber, defaultLimits.depth),
  /** Items of a list */
  list: option(kinds.wholeNumber, defaultLimits.list),
  /** UTF-16 code units of a text */
  text: option(kinds.wholeNumber, defaultLimits.text),
};

const rows = {
  /**
   * The names of input data that come from the profile
   *
   * @default none
   */
  profile: option(kinds.listOf(kinds.nonEmptyText)),
  /**
   * `camunda`: names that nothing defines are inputs, and results of required decisions have the names of their outputs
   *
   * @default "dmn"
   */
  dialect: option(kinds.oneOf("dmn", "camunda"), "dmn"),
  /**
   * What an evaluation may cost: `steps`, `depth` of calls, items of a `list`, characters of a `text`
   *
   * @default 1,000,000 steps, 128 calls, 100,000 items, 1,000,000 characters
   */
  limits: option(kinds.group(limitRows)),
  /**
   * `meta.decisionVersion`; models have none. By default, `dmnContract` has twelve digits of the content's hash
   *
   * @default "1.0.0"
   */
  version: option(kinds.nonEmptyText, "1.0.0"),
  /**
   * Receives warnings
   *
   * @default standard error
   */
  logger: option(kinds.logger),
};

/** What `loadDmn` takes besides documents. */
export type DmnOptions = OptionsOf<typeof rows>;

/** Options after the check. */
export type Settings = Checked<typeof rows> & { readonly dialect: Dialect };

/** @throws DecernError `INVALID_OPTIONS` */
export function settingsOf(options: DmnOptions): Settings {
  return checkedOptions("loadDmn", options, rows);
}

export function limitsOf({ limits = {} }: Settings): Limits {
  // One that is undefined would replace a default.
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return { ...defaultLimits, ...Object.fromEntries(given) };
}

/** @throws DecernError `INVALID_OPTIONS` */
export function checkDocuments(documents: readonly DmnDocument[]): void {
  const kind = kinds.listOf(kinds.group(documentRows), { nonEmpty: true });
  const { problems } = readOptions({ documents }, { documents: requiredOption(kind) });
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "loadDmn", problems });
}

/** @throws DecernError `INVALID_OPTIONS` */
export function checkIds(ids: readonly string[]): void {
  const kind = kinds.listOf(kinds.nonEmptyText, { nonEmpty: true });
  const { problems } = readOptions({ ids }, { ids: requiredOption(kind) });
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "dmnContract", problems });
}
