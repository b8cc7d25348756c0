import type { Decision, JsonSchema } from "@decern/core";
import { toJsonSchema } from "@decern/core";
import { mapSubschemas } from "@decern/core/schema";
import { program } from "@decern/core/tools";
import { LiteralCollector } from "./literals.js";
import { decimalsOf } from "./ruler.js";

/** The values that a decision is likely to care about. */
export interface Vocabulary {
  /** In ascending order. */
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  /** Sources of regular expressions that rules test with. */
  readonly patterns: readonly string[];
  /** Decimals that tell the numbers apart. */
  readonly decimals: number;
  readonly now: Date;
}

interface VocabularySources {
  readonly inputs: readonly unknown[];
  readonly sources: readonly string[];
  readonly now: Date;
}

/**
 * Gathers what stands in the rules, profiles and schemas of a decision and of those that it uses.
 *
 * @param inputs - examples
 * @param sources - the text of the files that the rules stand in
 */
export function vocabularyOf(
  decision: Decision,
  profileOf: (decision: Decision) => unknown,
  { inputs, sources, now }: VocabularySources,
): Vocabulary {
  const literals = new LiteralCollector();
  const ruleTexts: string[] = [];
  const visit = (one: Decision): void => {
    literals.addData(profileOf(one));
    ruleTexts.push(...one[program].ruleTexts);
    addSchema(literals, safeJsonSchema(one));
    for (const used of one.uses) visit(used);
  };
  visit(decision);
  for (const input of inputs) literals.addData(input);
  literals.addSources(ruleTexts, sources);
  const numbers = [...literals.numbers].sort((one, other) => one - other);
  return {
    numbers,
    texts: [...literals.texts],
    patterns: [...literals.patterns],
    decimals: Math.min(6, Math.max(2, ...numbers.map((number) => decimalsOf(number) + 1))),
    now,
  };
}

/** The JSON Schema of a decision's input; `{}` for a schema that has none. Then the examples are all there is. */
export function safeJsonSchema({ inputSchema }: Decision): JsonSchema {
  try {
    return toJsonSchema(inputSchema, "input");
  } catch {
    return {};
  }
}

/** Adds the values that a schema names: not its texts for readers. */
function addSchema(literals: LiteralCollector, schema: JsonSchema): void {
  for (const keyword of ["const", "default"]) literals.addData(schema[keyword], 2);
  for (const keyword of ["enum", "examples"]) literals.addData(schema[keyword], 3);
  mapSubschemas(schema, (subschema) => {
    addSchema(literals, subschema);
    return subschema;
  });
}
