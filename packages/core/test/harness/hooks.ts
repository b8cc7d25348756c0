import type { Hooks } from "../../src/index.js";
import { vandalise, wayNames } from "../vandal.js";

/** Someone else's error, such as one of a host's callback. */
export const fault = (what: string) => Object.assign(new Error(`fault of ${what}`), { secret: what });

export const never = new Promise<never>(() => {});

/** Hooks, each of which notes what it was told. */
export const hookSets: Readonly<Record<string, Hooks | undefined>> = {
  none: undefined,
  before: { beforeEvaluate: () => {} },
  later: { beforeEvaluate: async () => {}, afterEvaluate: async () => {}, onError: async () => {} },
  input: { beforeEvaluate: () => ({ input: { n: 2000 }, requestId: "patched" }) },
  instant: { beforeEvaluate: async () => ({ decisionId: "other", timestamp: new Date(1.6e12) }) },
  profile: { beforeEvaluate: () => ({ profile: { max: 9999 } }) },
  noProfile: { beforeEvaluate: () => ({ profile: undefined }) },
  badProfile: { beforeEvaluate: () => ({ profile: { max: "much" } }) },
  own: { beforeEvaluate: (context) => context },
  changed: {
    beforeEvaluate: (context) => {
      vandalise(context.profile, ["set"]);
      return { profile: context.profile };
    },
  },
  nonsense: { beforeEvaluate: () => JSON.parse("5") },
  refuse: {
    beforeEvaluate: async () => {
      throw Object.assign(new Error("no"), { statusCode: 429, code: "SLOW_DOWN" });
    },
    onError: () => {},
  },
  fault: {
    beforeEvaluate: () => {
      throw fault("beforeEvaluate");
    },
    onError: () => {
      throw fault("onError");
    },
  },
  late: { beforeEvaluate: () => never, onError: () => {} },
  after: {
    afterEvaluate: async () => {
      throw fault("afterEvaluate");
    },
    onError: () => {},
  },
  afterLate: { afterEvaluate: () => never },
  error: { onError: () => {} },
  vandal: {
    beforeEvaluate: (context) => vandalise(context, wayNames),
    afterEvaluate: (context, result) => vandalise([context, result], wayNames),
    onError: (context, error) => vandalise([context, error], wayNames),
  },
};
