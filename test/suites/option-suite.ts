import { describe, expect, it } from "vitest";

/** One value of each kind that JavaScript has, and every number that makes trouble. */
const samples = {
  true: true,
  false: false,
  null: null,
  zero: 0,
  one: 1,
  "minus one": -1,
  fraction: 1.5,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "minus Infinity": Number.NEGATIVE_INFINITY,
  "one more than a timer takes": 2 ** 31,
  bigint: 1n,
  symbol: Symbol("s"),
  "empty text": "",
  text: "text",
  function: () => {},
  object: {},
  list: [],
} as const;

export type SampleName = keyof typeof samples;

const names = Object.keys(samples) as readonly SampleName[];

/** Every flag there is. */
export const flags = ["true", "false"] as const;

/** What one option takes; or the name of the test that says it. */
export type OptionCase = CheckedOption | { readonly testedBy: string };

interface CheckedOption {
  /** A value that is right. */
  readonly right: unknown;
  /** Those of the samples that are right. Every other one must be refused. */
  readonly takes?: readonly SampleName[];
  /** Those of the samples that are right in a list. Left out, the option takes no list. */
  readonly items?: readonly SampleName[];
  /** The options of an object of options. */
  readonly group?: OptionCases;
  /** What such an object cannot do without. */
  readonly base?: object;
  /** Whether it can be judged only where all the others are right. */
  readonly isLast?: boolean;
}

/** Each option of something, by name. */
export type OptionCases<Options = Readonly<Record<string, unknown>>> = {
  readonly [Name in keyof Options]-?: OptionCase;
};

/** The options that everything that evaluates takes. */
export const evaluatorOptionCases = {
  hooks: {
    right: { onError: () => {} },
    takes: ["object"],
    group: {
      beforeEvaluate: { right: () => {}, takes: ["function"] },
      afterEvaluate: { right: () => {}, takes: ["function"] },
      onError: { right: () => {}, takes: ["function"] },
    },
  },
  observers: { right: [{ onEvaluated: () => {} }], takes: ["list"], items: [] },
  clock: { right: { now: () => 0, monotonic: () => 0 } },
  logger: { right: { error: () => {} } },
  hookTimeoutMs: { right: 50, takes: ["one"] },
} as const satisfies OptionCases;

interface Problem {
  readonly path: string;
  readonly message: string;
}

/**
 * Holds the options of something against every kind of value.
 *
 * @param required - options that it cannot do without
 * @param call - gives it options, as JavaScript without types may
 * @param above - where the options are among what it is given, as a JSON Pointer
 */
export function optionSuite<Options>(
  owner: string,
  cases: OptionCases<Options>,
  required: object,
  call: (options: object) => unknown,
  above = "",
): void {
  const problemsOf = async (options: object): Promise<readonly Problem[]> => {
    try {
      await call({ ...required, ...options });
    } catch (error) {
      const thrown = error as { readonly code?: unknown; readonly problems?: readonly Problem[] };
      // Whatever else is thrown is a raw error of somebody who was given nonsense.
      expect(thrown).toMatchObject({ name: "DecernError", code: "INVALID_OPTIONS" });
      return thrown.problems ?? [];
    }
    return [];
  };

  describe(`options of ${owner}`, () => {
    holdGroup(owner, cases as OptionCases, (options) => options, above, problemsOf);

    it("must be an object", async () => {
      for (const name of names) {
        if (name === "object") continue;
        await expect(
          (async () => call(samples[name] as unknown as object))(),
          `${owner}(${name})`,
        ).rejects.toMatchObject({ name: "DecernError", code: "INVALID_OPTIONS" });
      }
    });

    it("are refused all at once, each by its path", async () => {
      const wrong = Object.entries(cases as OptionCases).flatMap(([name, one]) => {
        if ("testedBy" in one) return [];
        const sample = names.find((each) => !(one.takes ?? []).includes(each));
        return sample === undefined || one.isLast === true ? [] : [[name, samples[sample]] as const];
      });
      const paths = (await problemsOf(Object.fromEntries(wrong))).map(({ path }) => path);
      for (const [name] of wrong) {
        expect(
          paths.some((path) => path === `${above}/${name}` || path.startsWith(`${above}/${name}/`)),
          `${name} among ${paths.join(", ")}`,
        ).toBe(true);
      }
    });
  });
}

function holdGroup(
  owner: string,
  cases: OptionCases,
  wrap: (options: object) => object,
  above: string,
  problemsOf: (options: object) => Promise<readonly Problem[]>,
): void {
  it(`are these, and no others${above === "" ? "" : `: ${above}`}`, async () => {
    const problems = await problemsOf(wrap({ "no/such": 1 }));
    const unknown = problems.find(({ path }) => path === `${above}/no~1such`);
    expect(unknown?.message).toMatch(/^is not known; known are /);
    const known = unknown?.message.replace("is not known; known are ", "").split(", ");
    // An option that is new must be added to the cases: then it is held against every kind of value.
    expect(known?.toSorted()).toEqual(Object.keys(cases).toSorted());
  });

  for (const [name, one] of Object.entries(cases)) {
    if ("testedBy" in one) continue;
    const { right, takes = [], items, group, base } = one;
    const path = `${above}/${name}`;
    const give = (value: unknown) => problemsOf(wrap({ [name]: value }));
    const isNamed = (problems: readonly Problem[]): boolean =>
      problems.some((problem) => problem.path === path || problem.path.startsWith(`${path}/`));

    it(`${path} takes what is right, and refuses every other kind of value`, async () => {
      expect(await give(right)).toEqual([]);
      for (const sample of names) {
        const problems = await give(samples[sample]);
        expect(isNamed(problems), `${owner} ${path}: ${sample}`).toBe(!takes.includes(sample));
        if (items === undefined) continue;
        const listed = await give([samples[sample]]);
        expect(isNamed(listed), `${owner} ${path}: a list with ${sample}`).toBe(!items.includes(sample));
      }
      if (items === undefined) return;
      const holed = [right].flat();
      // A hole is skipped by most of what reads lists, and is `undefined` for the rest.
      holed.length += 1;
      expect(isNamed(await give(holed)), `${owner} ${path}: a list with a hole`).toBe(true);
    });

    if (group !== undefined) {
      holdGroup(owner, group, (options) => wrap({ [name]: { ...base, ...options } }), path, problemsOf);
    }
  }
}
