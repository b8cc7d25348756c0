import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  createEvaluator,
  DecernError,
  type Decision,
  defineDecision,
  type EvaluationEvent,
  evaluate,
  type RuleContext,
  type Schema,
  withProfile,
} from "../../src/index.js";
import { fixedClock } from "../fixtures.js";
import { vandalise, wayNames } from "../vandal.js";

/** Lets everything through as it is, the very same object. */
function passing<Value>(): Schema<Value> {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => ({ value: Object(value) }),
      jsonSchema: { input: () => ({}), output: () => ({}) },
    },
  };
}

const calls = vi.fn<(input: unknown, context: unknown) => void>();

const score = defineDecision({
  id: "score",
  version: "3.0.0",
  inputSchema: z.object({ income: z.number() }),
  outputSchema: z.object({ points: z.number() }),
  profileSchema: z.object({ weight: z.number().default(1) }),
  rules: [
    {
      id: "weighted",
      when: (input, _profile, { now, requestId }) => {
        calls(input, { now, requestId });
        return input.income >= 0;
      },
      emit: (input, profile) => ({ points: input.income * profile.weight }),
      explain: (input) => `Income ${input.income}`,
    },
  ],
});

const loan = defineDecision({
  id: "loan",
  version: "1.0.0",
  inputSchema: z.object({ income: z.number(), other: z.number().default(0) }),
  outputSchema: z.object({ approved: z.boolean(), points: z.number() }),
  profileSchema: z.object({ least: z.number().default(10) }),
  uses: [score],
  rules: [
    {
      id: "enough",
      when: (input, profile, context) => {
        const result = context.evaluate(score, { income: input.income });
        return result.status === "OK" && result.data.points >= profile.least;
      },
      emit: (input, _profile, context) => {
        const result = context.evaluate(score, { income: input.income });
        return { approved: true, points: result.status === "OK" ? result.data.points : -1 };
      },
      explain: (input, _profile, context) => {
        const result = context.evaluate(score, { income: input.income });
        return result.status === "OK" ? result.meta.explanation : result.status;
      },
    },
    {
      id: "otherwise",
      when: () => true,
      emit: (input, _profile, context) => {
        const result = context.evaluate(score, { income: input.other });
        return { approved: false, points: result.status === "OK" ? result.data.points : -1 };
      },
    },
  ],
});

/** A decision that uses others, with rules that do as they are told. */
function using(uses: readonly Decision[], when: (context: RuleContext<string>) => boolean, id = "user") {
  return defineDecision({
    id,
    version: "1.0.0",
    inputSchema: z.object({}),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    uses,
    rules: [{ id: "only", when: (_input, _profile, context) => when(context), emit: () => ({}) }],
  });
}

describe("context.evaluate", () => {
  it("returns the result of a decision that is used, with its own profile", () => {
    const result = evaluate(loan, { income: 12 });
    expect(result).toMatchObject({
      status: "OK",
      data: { approved: true, points: 12 },
      meta: { matchedRule: "enough", explanation: "Income 12" },
    });
  });

  it("returns what its rules refuse or do not cover, and does not throw", () => {
    expect(evaluate(loan, { income: -1, other: -1 })).toMatchObject({
      data: { approved: false, points: -1 },
    });
  });

  it("evaluates equal inputs once in an evaluation, at its instant and with its request id", () => {
    calls.mockClear();
    const now = new Date("2026-01-02T03:04:05.678Z");
    evaluate(loan, { income: 5, other: 5 }, undefined, { now, requestId: "r-1" });
    expect(calls.mock.calls).toEqual([[{ income: 5 }, { now, requestId: "r-1" }]]);
    evaluate(loan, { income: 5, other: 6 });
    expect(calls).toHaveBeenCalledTimes(3);
  });

  it("takes inputs for equal whose properties are in another order, and no others", () => {
    let seen = 0;
    const pair = defineDecision({
      id: "pair",
      version: "1",
      inputSchema: z.object({ a: z.unknown(), b: z.unknown() }),
      outputSchema: z.object({}),
      profileSchema: z.object({}),
      rules: [
        {
          id: "r",
          when: () => {
            seen += 1;
            return true;
          },
          emit: () => ({}),
        },
      ],
    });
    const user = using([pair], (context) => {
      context.evaluate(pair, { a: 1, b: [2, { c: 3, d: 4 }] });
      context.evaluate(pair, { b: [2, { d: 4, c: 3 }], a: 1 });
      context.evaluate(pair, { a: "1", b: [2, { d: 4, c: 3 }] });
      context.evaluate(pair, { a: 1, b: [{ d: 4, c: 3 }, 2] });
      return true;
    });
    evaluate(user, {});
    expect(seen).toBe(3);
  });

  it("tells values apart that JSON writes in the same way or not at all, and evaluates equal dates once", () => {
    const seen: unknown[] = [];
    const any = anything((input) => void seen.push(input));
    const inputs = [
      Number.NaN,
      null,
      "NaN",
      undefined,
      1n,
      1,
      "1",
      new Date(1),
      1,
      new Date(1),
      "\ud800",
      "\ud801",
    ];
    const user = using([any], (context) => {
      for (const value of inputs) context.evaluate(any, { value });
      context.evaluate(any, {});
      return true;
    });
    evaluate(user, {});
    const expected = [Number.NaN, null, "NaN", undefined, 1n, 1, "1", new Date(1), "\ud800", "\ud801"];
    expect(seen).toStrictEqual([...expected.map((value) => ({ value })), {}]);
  });

  it("evaluates what cannot be compared each time: it may have changed since", () => {
    const seen: unknown[] = [];
    const any = anything((input) => void seen.push(input));
    const input = { set: new Set([1]) };
    const user = using([any], (context) => {
      context.evaluate(any, input);
      input.set.add(2);
      context.evaluate(any, input);
      return true;
    });
    evaluate(user, {});
    expect(seen).toEqual([{ set: new Set([1]) }, { set: new Set([1, 2]) }]);
  });

  it("takes an input that contains itself, and one that throws when it is read", () => {
    const any = anything(() => {});
    const cycle: Record<string, unknown> = {};
    cycle["left"] = cycle;
    cycle["right"] = cycle;
    const throwing = {
      get value(): never {
        throw new Error("not for you");
      },
    };
    const user = using([any], (context) => {
      context.evaluate(any, throwing);
      return context.evaluate(any, cycle).status === "OK";
    });
    expect(evaluate(user, {}).status).toBe("OK");
  });

  it("gives each call a result of its own: writing to it reaches nobody", async () => {
    const events: unknown[] = [];
    const nested = defineDecision({
      id: "nested",
      version: "1",
      inputSchema: z.object({}),
      outputSchema: z.object({ list: z.array(z.number()) }),
      profileSchema: z.object({}),
      rules: [{ id: "r", when: () => true, emit: () => ({ list: [1] }) }],
    });
    const pristine = evaluate(nested, {}, undefined, { now: new Date(0) });
    const seen: unknown[] = [];
    const user = using([nested], (context) => {
      for (const way of wayNames) {
        const result = context.evaluate(nested, {});
        seen.push(structuredClone(result));
        vandalise(result, [way]);
      }
      return true;
    });
    const observers = [{ onEvaluated: ({ used }: EvaluationEvent) => void events.push(used[0]?.result) }];
    await createEvaluator({ clock: fixedClock("1970-01-01T00:00:00Z"), observers }).evaluate(user, {
      input: {},
    });
    expect(seen).toEqual(wayNames.map(() => pristine));
    expect(events).toEqual([pristine]);
  });

  it("keeps instances of classes in a result as they are", () => {
    class Money {
      readonly #cents = 250;
      get cents(): number {
        return this.#cents;
      }
    }
    const price = defineDecision({
      id: "price",
      version: "1",
      inputSchema: z.object({}),
      outputSchema: passing<{ readonly price: Money }>(),
      profileSchema: z.object({}),
      rules: [{ id: "r", when: () => true, emit: () => ({ price: new Money() }) }],
    });
    const user = using([price], (context) => {
      const result = context.evaluate(price, {});
      return result.status === "OK" && result.data.price.cents === 250;
    });
    expect(evaluate(user, {}).status).toBe("OK");
  });

  it("separates the input of its user from that of the decision that is used, and from what observers see", async () => {
    const events: unknown[] = [];
    const vandal = anything((input) => vandalise(input, wayNames));
    const user = using([vandal], (context) => {
      const input = { list: [1, { two: 2 }], text: "x" };
      context.evaluate(vandal, input);
      const kept = structuredClone(input);
      vandalise(input, wayNames);
      return JSON.stringify(kept) === '{"list":[1,{"two":2}],"text":"x"}';
    });
    const observers = [{ onEvaluated: ({ used }: EvaluationEvent) => void events.push(used[0]?.input) }];
    const result = await createEvaluator({ observers }).evaluate(user, { input: {} });
    expect(result.status).toBe("OK");
    expect(events).toEqual([{ list: [1, { two: 2 }], text: "x" }]);
  });

  it("has the same request id and caller at every depth", async () => {
    const seen: unknown[] = [];
    const note = (context: RuleContext<string>): true => {
      seen.push([context.requestId, context.caller]);
      return true;
    };
    const inner = using([], note, "inner");
    const middle = using(
      [inner],
      (context) => note(context) && context.evaluate(inner, {}).status === "OK",
      "middle",
    );
    const outer = using([middle], (context) => context.evaluate(middle, {}).status === "OK" && note(context));
    await createEvaluator().evaluate(outer, { input: {}, requestId: "r-1", caller: "web-shop" });
    expect(seen).toEqual(new Array(3).fill(["r-1", "web-shop"]));
    // Without one, all share the one that is made.
    seen.length = 0;
    evaluate(outer, {});
    expect(new Set(seen.map((pair) => JSON.stringify(pair))).size).toBe(1);
    expect(seen).toEqual(new Array(3).fill([expect.stringMatching(/^[0-9a-f-]{36}$/), undefined]));
  });

  it("uses the profile of withProfile for a decision that is used", () => {
    const heavy = withProfile(score, { weight: 100 });
    const user = using([heavy], (context) => {
      const result = context.evaluate(heavy, { income: 2 });
      return result.status === "OK" && result.data.points === 200;
    });
    expect(evaluate(user, {}).status).toBe("OK");
  });

  it("fails with the name of the fix for a decision that uses does not list", () => {
    const user = using([], (context) => context.evaluate(score, { income: 1 }).status === "OK");
    expect(() => evaluate(user, {})).toThrow(/"user".*"score".*add that decision to its "uses"/s);
  });

  it("fails the whole evaluation when a decision that is used fails", () => {
    const broken = using(
      [],
      () => {
        throw new Error("disk on fire");
      },
      "broken",
    );
    const user = using([broken], (context) => context.evaluate(broken, {}).status === "OK");
    const thrown = catchError(() => evaluate(user, {}));
    expect(thrown).toBeInstanceOf(DecernError);
    expect(thrown).toMatchObject({ code: "EVALUATION_FAILED" });
  });

  it("makes 1,000 different calls in an evaluation at most, at every depth together", () => {
    const inner = using(
      [score],
      (context) => {
        for (let index = 0; index < 500; index += 1) context.evaluate(score, { income: 10_000 + index });
        return true;
      },
      "inner",
    );
    const times = (count: number) =>
      using([inner, score], (context) => {
        context.evaluate(inner, {});
        for (let index = 0; index < count; index += 1) context.evaluate(score, { income: index });
        // Made before, so not another call.
        context.evaluate(score, { income: 0 });
        return true;
      });
    // One of inner, 500 of its own, 499 here.
    expect(evaluate(times(499), {}).status).toBe("OK");
    expect(() => evaluate(times(500), {})).toThrow("more than 1000 different calls");
  });

  it("names the profile's owner when a decision that is used lacks a profile", () => {
    const strict = defineDecision({
      id: "strict",
      version: "1",
      inputSchema: z.object({}),
      outputSchema: z.object({}),
      profileSchema: z.object({ limit: z.number() }),
      rules: [{ id: "r", when: () => true, emit: () => ({}) }],
    });
    const user = using([strict], (context) => context.evaluate(strict, {}).status === "OK");
    expect(catchError(() => evaluate(user, {}))).toMatchObject({
      code: "INVALID_HOST_PROFILE",
      problems: [{ path: "/limit" }],
    });
  });
});

describe("uses", () => {
  it("is on the decision", () => {
    expect(loan.uses).toEqual([score]);
    expect(score.uses).toEqual([]);
  });

  it.each([
    ["something else than a list", "score", "/uses"],
    ["a definition", [{ id: "score" }], "/uses/0"],
    ["a decision twice", [score, score], "/uses/1"],
  ])("refuses %s", (_what, uses, path) => {
    const definition = { ...definitionOf("x"), uses };
    const thrown = catchError(() => Reflect.apply(defineDecision, undefined, [definition]));
    expect(thrown).toMatchObject({ code: "INVALID_DECISION", problems: [{ path }] });
  });

  it("is a copy of the list in the definition, which stays as it is", () => {
    const uses: Decision[] = [score];
    const decision = using(uses, () => true);
    uses.push(loan);
    expect({ uses, decisionUses: decision.uses }).toEqual({ uses: [score, loan], decisionUses: [score] });
    expect(Reflect.set(decision.uses, 0, loan)).toBe(false);
  });

  it("may reach a decision in very many ways", () => {
    const all: Decision[] = [using([], () => true, "level-0")];
    // 2^14 ways lead from the last to the first.
    for (let level = 1; level < 16; level += 1) all.push(using([...all], () => true, `level-${level}`));
    expect(() => using([...all], () => true, "level-16")).toThrow("16 levels");
  });

  it("refuses more than 16 levels of decisions that use one another", () => {
    let decision: Decision = using([], () => true, "level-1");
    for (let level = 2; level <= 16; level += 1) {
      const used: Decision<unknown, unknown, unknown, string> = decision;
      decision = using([used], (context) => context.evaluate(used, {}).status === "OK", `level-${level}`);
    }
    expect(evaluate(decision, {}).status).toBe("OK");
    expect(() => using([decision], () => true, "level-17")).toThrow("16 levels");
  });
});

describe("observers of an evaluation that used others", () => {
  it("see the profile that was used, the host's or the decision's own, as a copy", async () => {
    const seen: unknown[] = [];
    const onEvaluated = ({ used }: EvaluationEvent): void => {
      const [profile, bound] = used.map((one) => one.profile);
      seen.push(structuredClone([profile, bound]));
      if (typeof bound === "object" && bound !== null) Reflect.set(bound, "weight", 0);
    };
    const strict = withProfile(score, { weight: 5 });
    const outer = using([score, strict], (context) => {
      context.evaluate(score, { income: 1 });
      return context.evaluate(strict, { income: 1 }).status === "OK";
    });
    const evaluator = createEvaluator({ clock: fixedClock(), observers: [{ onEvaluated }, { onEvaluated }] });
    await evaluator.evaluate(outer, { input: {} });
    expect(seen).toEqual([
      [{}, { weight: 5 }],
      [{}, { weight: 5 }],
    ]);
  });

  it("see what was used, as a tree of copies", async () => {
    const seen: unknown[] = [];
    const outer = using([loan], (context) => context.evaluate(loan, { income: 20 }).status === "OK", "outer");
    const evaluator = createEvaluator({
      clock: fixedClock(),
      observers: [
        {
          onEvaluated: ({ used }) => {
            seen.push(
              used.map(({ decision, input, result, used: inner }) => [
                decision.id,
                input,
                result.status,
                inner.map(({ decision: own }) => own.id),
              ]),
            );
            for (const { result } of used) Reflect.set(result, "status", "changed");
          },
        },
        { onEvaluated: ({ used }) => void seen.push(used[0]?.result.status) },
      ],
    });
    await evaluator.evaluate(outer, { input: {} });
    await evaluator.evaluate(score, { input: { income: 1 } });
    expect(seen).toEqual([[["loan", { income: 20 }, "OK", ["score"]]], "OK", [], undefined]);
  });
});

/** A decision that takes any input and shows it. */
function anything(see: (input: Record<string, unknown>) => void) {
  return defineDecision({
    id: "anything",
    version: "1",
    inputSchema: passing<Record<string, unknown>>(),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [
      {
        id: "r",
        when: (input) => {
          see(input);
          return true;
        },
        emit: () => ({}),
      },
    ],
  });
}

function definitionOf(id: string) {
  return {
    id,
    version: "1",
    inputSchema: z.object({}),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "r", when: () => true, emit: () => ({}) }],
  };
}

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
