import { compileModels } from "../load-dmn.js";
import { checkDocuments, type DmnDocument, type DmnOptions, settingsOf } from "../options.js";
import type { WarningCode } from "../values/run.js";

/** Something in a model that doesn't work. */
export interface DmnFinding {
  /** `error`: `loadDmn` rejects the models. `warning`: a part of an element is null whatever the input. */
  readonly severity: "error" | "warning";
  /** The name of the document. */
  readonly file: string;
  /** Of the element, from 1. */
  readonly line: number;
  /** The element's name, such as a decision's; undefined for the document itself. */
  readonly element: string | undefined;
  readonly message: string;
  /** Of a warning. `NOT_SUPPORTED` is what Decern lacks; with the other codes, an expression is wrong. */
  readonly code: WarningCode | undefined;
  /** The expression, in FEEL; undefined where none is the reason. */
  readonly expression: string | undefined;
}

/**
 * Finds what is wrong with models, and what of them is not supported, without evaluating them. Errors first; at most a hundred
 * warnings.
 *
 * @throws DecernError `INVALID_OPTIONS`
 */
export function checkDmn(
  documents: readonly DmnDocument[],
  options: Pick<DmnOptions, "dialect"> = {},
): readonly DmnFinding[] {
  checkDocuments(documents);
  const { problems, warnings } = compileModels(documents, settingsOf(options));
  return [
    ...problems.map(({ file, line, element, message }): DmnFinding => {
      return { severity: "error", file, line, element, message, code: undefined, expression: undefined };
    }),
    ...warnings.map(({ expression, ...warning }): DmnFinding => {
      return { severity: "warning", ...warning, expression: expression === "" ? undefined : expression };
    }),
  ];
}
