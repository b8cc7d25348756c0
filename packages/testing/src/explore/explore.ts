import type { Decision } from "@decern/core";
import { examples } from "../examples.js";
import { bindDecision } from "./bound-decision.js";
import type { Exploration, ExploreOptions } from "./exploration.js";
import { checkExploreOptions } from "./explore-options.js";
import { Random } from "./random.js";
import { Report } from "./report.js";
import { SchemaReader } from "./schema/alternatives.js";
import { Candidates } from "./schema/candidates.js";
import { Sampler } from "./schema/sampler.js";
import { Bisector } from "./search/bisector.js";
import { Borders } from "./search/borders.js";
import { Corpus } from "./search/corpus.js";
import { Findings } from "./search/findings.js";
import { OutputKinds } from "./search/outputs.js";
import { Search } from "./search/search.js";
import { Shrinker } from "./search/shrinker.js";
import { Subject } from "./search/subject.js";
import { safeJsonSchema, vocabularyOf } from "./values/vocabulary.js";

/** What is left is for making witnesses readable. */
const searchShare = 0.7;

/**
 * Looks for inputs that reach every rule, overlaps, gaps and faults. It begins with the examples, varies them by the schema
 * and by the values that rules, profiles and schemas name, and goes on from whatever behaves differently. The same seed
 * finds the same.
 *
 * @throws DecernError `INVALID_OPTIONS` for an option that does not exist, and for a profile that breaks its schema
 * @throws DecernError `INVALID_DECISION` when `meta.examples` is no list of examples
 *
 * @example
 * ```ts
 * const { coverage, noMatch, rules } = explore(loanApproval, { profiles });
 * const unreached = rules.filter(({ witness }) => witness === undefined);
 * ```
 */
export function explore(decision: Decision, options: ExploreOptions = {}): Exploration {
  checkExploreOptions(options);
  const { runs = 20_000, seed = 1, sources = [], now = new Date("2026-01-01T00:00:00Z") } = options;
  const given = options.examples ?? examples(decision).map(({ input }) => input);
  const bound = bindDecision(decision, options);
  const random = new Random(seed);
  const schema = safeJsonSchema(decision);
  const vocabulary = vocabularyOf(bound.decision, bound.profileOf, { inputs: given, sources, now });
  const reader = new SchemaReader(schema);
  const sampler = new Sampler(reader, vocabulary, random);
  const plain = sampler.value(schema, "plain");
  const findings = new Findings(decision);
  const call = { profiles: bound.profiles, epochMs: now.getTime(), requestId: "explore" };
  const subject = new Subject(bound.decision, call, findings);
  const kinds = new OutputKinds();
  const borders = new Borders();
  const parts = {
    subject,
    reader,
    schema,
    candidates: new Candidates(reader, sampler, vocabulary, random),
    bisector: new Bisector(subject, reader, borders, kinds, vocabulary.decimals),
    corpus: new Corpus(kinds),
    kinds,
    random,
  };
  const reserve = Math.floor(runs * (1 - searchShare));
  subject.left = runs - reserve;
  const made = Array.from({ length: 20 }, () => sampler.value(schema, "random"));
  new Search(parts).run([...given, plain, sampler.value(schema, "full"), ...made]);
  subject.left += reserve;
  const isValid = (input: unknown): boolean => subject.try(input) !== undefined;
  const known = given.filter(isValid);
  // Readers know the examples. Where there is none, the plainest input stands in for them.
  const bases = known.length > 0 ? known : [plain].filter(isValid);
  return new Report(decision, { subject, findings, borders, shrinker: new Shrinker(bases), seed }).write();
}
