import { describe, expect, it } from "vitest";
import { MemoryLog } from "../support/memory-log.js";

/** One value of each kind that JavaScript has, and every problematic number. */
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

/** The valid samples of a flag. */
export const flags = ["true", "false"] as const;

/** What one option accepts, or the name of the test that checks it. */
export type OptionCase = CheckedOption | { readonly testedBy: string };

interface CheckedOption {
  /** A valid value. */
  readonly right: unknown;
  /** The valid samples. Every other one must be refused. */
  readonly takes?: readonly SampleName[];
  /** The samples that are valid in a list. Absent if the option does not accept lists. */
  readonly items?: readonly SampleName[];
  /** The options of a nested object. */
  readonly group?: OptionCases;
  /** The required options of that object. */
  readonly base?: object;
  /** Whether it can be checked only if all others are valid. */
  readonly isLast?: boolean;
}

/** Options by name. */
export type OptionCases<Options = Readonly<Record<string, unknown>>> = {
  readonly [Name in keyof Options]-?: OptionCase;
};

/** The options that every host accepts. */
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
  logger: { right: { error: () => {} }, takes: ["false"] },
  hookTimeoutMs: { right: 50, takes: ["one"] },
  log: { right: new MemoryLog() },
} as const satisfies OptionCases;

interface Problem {
  readonly path: string;
  readonly message: string;
}

/**
 * Checks options against every kind of value.
 *
 * @param required - the required options
 * @param call - passes options as untyped JavaScript may
 * @param above - the place of the options in the arguments, as a JSON Pointer
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
      // Any other error means that an invalid value was not checked.
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

    it("are all refused at once, each with its path", async () => {
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
  it(`are exactly these${above === "" ? "" : `: ${above}`}`, async () => {
    const problems = await problemsOf(wrap({ "no/such": 1 }));
    const unknown = problems.find(({ path }) => path === `${above}/no~1such`);
    expect(unknown?.message).toMatch(/^is unknown; valid names are /);
    const known = unknown?.message.replace("is unknown; valid names are ", "").split(", ");
    // A new option must be added to the cases, so it is checked against every kind of value.
    expect(known?.toSorted()).toEqual(Object.keys(cases).toSorted());
  });

  for (const [name, one] of Object.entries(cases)) {
    if ("testedBy" in one) continue;
    const { right, takes = [], items, group, base } = one;
    const path = `${above}/${name}`;
    const give = (value: unknown) => problemsOf(wrap({ [name]: value }));
    const isNamed = (problems: readonly Problem[]): boolean =>
      problems.some((problem) => problem.path === path || problem.path.startsWith(`${path}/`));

    it(`${path} accepts valid values, and refuses every other kind`, async () => {
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
      // Most functions skip a hole in a list; others read it as `undefined`.
      holed.length += 1;
      expect(isNamed(await give(holed)), `${owner} ${path}: a list with a hole`).toBe(true);
    });

    if (group !== undefined) {
      holdGroup(owner, group, (options) => wrap({ [name]: { ...base, ...options } }), path, problemsOf);
    }
  }
}
