import { createHash } from "node:crypto";

const share = Number(process.env.MUTATION_SAMPLE ?? 1);
const seed = process.env.MUTATION_SEED ?? "1";

/** The same mutants for the same seed, whatever else changes in the sources. */
function isInSample({ fileName, location, mutatorName, replacement }) {
  const file = fileName.replace(/^.*?(?=packages\/)/, "");
  const what = JSON.stringify([seed, file, location, mutatorName, replacement]);
  return createHash("sha256").update(what).digest().readUInt32BE() / 2 ** 32 < share;
}

/** Takes a random share of the mutants. Stryker counts the others as mutants that do not compile, outside the score. */
class SampleChecker {
  async init() {}

  async check(mutants) {
    const results = mutants.map((mutant) => [
      mutant.id,
      isInSample(mutant) ? { status: "passed" } : { status: "compileError", reason: "is not in the sample" },
    ]);
    return Object.fromEntries(results);
  }

  group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", injectableClass: SampleChecker }];
