import type { FeelFunction } from "../values/value.js";
import { aggregateFunctions } from "./aggregate.js";
import { contextFunctions } from "./context.js";
import { conversionFunctions } from "./conversion.js";
import { listFunctions } from "./list.js";
import { numericFunctions } from "./numeric.js";
import { rangeFunctions } from "./range.js";
import { stringFunctions } from "./string.js";
import { temporalFunctions } from "./temporal.js";

/** The functions that FEEL defines, by name. */
export const builtIns: ReadonlyMap<string, FeelFunction> = new Map(
  [
    aggregateFunctions,
    contextFunctions,
    conversionFunctions,
    listFunctions,
    numericFunctions,
    rangeFunctions,
    stringFunctions,
    temporalFunctions,
  ].flatMap((group) => group.map((each) => [each.name, each])),
);
