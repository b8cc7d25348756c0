import type { Result } from "../../src/index.js";
import { vandalise, wayNames } from "../vandal.js";
import {
  askedFor,
  boom,
  callbackFor,
  callbacks,
  exchanges,
  requests,
  resolverFor,
  resolvers,
  seen,
  settings,
  settled,
} from "./callbacks.js";
import { exchangeFor } from "./exchange.js";
import { combinations, type Play } from "./plays.js";
import { optionsOf } from "./settings.js";
import { inputs } from "./world.js";

/** Evaluations in process: `createEvaluator`. */
export function inProcess(count: number): readonly Play[] {
  const dimensions = {
    ...settings,
    input: requests.input,
    profile: ["none", "given", "bad", "host", "badHost"],
    requestId: ["given-1", undefined],
  } as const;
  return combinations(dimensions, count, 1).map((choice) => ({
    name: `in process: ${seen(choice)}`,
    async run({ driver, world, journal }) {
      const decision = driver.core.withProfile(world.loan, { max: 100 });
      const evaluator = driver.core.createEvaluator(optionsOf(driver.core, choice, journal));
      const { profile } = choice;
      const call = {
        input: inputs[choice.input]?.(),
        caller: "ann",
        requestId: choice.requestId,
        ...(profile === "none" ? {} : { profile: { max: profile.startsWith("bad") ? "much" : 6 } }),
        ...(profile.endsWith("ost") ? { profileFrom: "host" as const } : {}),
      };
      try {
        journal.note(
          "returned",
          await evaluator.evaluate<unknown, unknown, unknown, unknown, unknown, string>(decision, call),
        );
      } catch (thrown) {
        journal.note("thrown", thrown);
      }
      await settled();
    },
  }));
}

/** Requests to a host of one decision. */
export function single(count: number): readonly Play[] {
  const dimensions = {
    ...settings,
    ...requests,
    ...exchanges,
    resolver: resolvers,
    callback: callbacks,
  } as const;
  return combinations(dimensions, count, 2).map((choice) => ({
    name: `single: ${seen(choice)}`,
    async run({ driver, world, journal }) {
      const profileResolver = resolverFor(choice.resolver, journal);
      const host = driver.single({
        ...optionsOf(driver.core, choice, journal),
        decision: world.loan,
        ...(profileResolver === undefined
          ? { profile: { max: 100 } }
          : { profileResolver: () => profileResolver() }),
      });
      const asked = askedFor(choice, journal);
      const exchange = exchangeFor(journal, choice);
      exchange.start(() => host.respond(asked, exchange, callbackFor(choice.callback, journal)));
      await exchange.ended;
      asked.forget();
      await settled();
    },
  }));
}

/** Requests that a decision lets through, or not. */
export function guards(count: number): readonly Play[] {
  const dimensions = {
    ...settings,
    ...requests,
    ...exchanges,
    resolver: resolvers,
    denies: ["standard", "no", "yes", "nothing", "promise", "throws", "writes"],
    callback: callbacks,
  } as const;
  return combinations(dimensions, count, 3).map((choice) => ({
    name: `guard: ${seen(choice)}`,
    async run({ driver, world, journal }) {
      const isDenied = (result: Result): unknown => {
        journal.note("isDenied", result);
        if (choice.denies === "writes") vandalise(result, wayNames);
        if (choice.denies === "throws") boom("isDenied");
        if (choice.denies === "promise") return Promise.reject(new Error("fault of a late isDenied"));
        return choice.denies === "nothing" ? undefined : choice.denies === "yes";
      };
      const profileResolver = resolverFor(choice.resolver, journal);
      const host = driver.single({
        ...optionsOf(driver.core, choice, journal),
        decision: world.loan,
        ...(profileResolver === undefined
          ? { profile: { max: 100 } }
          : { profileResolver: () => profileResolver() }),
        ...(choice.denies === "standard" ? {} : { isDenied }),
      });
      const asked = askedFor(choice, journal);
      const exchange = exchangeFor(journal, choice);
      exchange.start(() => host.guard(asked, exchange, callbackFor(choice.callback, journal)));
      await exchange.ended;
      asked.forget();
      await settled();
    },
  }));
}

/** Calls for tools. */
export function earlier(count: number): readonly Play[] {
  const dimensions = {
    input: requests.input,
    profile: ["none", "given", "bad"],
    caller: ["ann", undefined],
  } as const;
  return combinations(dimensions, count, 7).map((choice) => ({
    name: `earlier: ${seen(choice)}`,
    async run({ driver, world, journal }) {
      const decision = driver.core.withProfile(world.loan, { max: 100 });
      const profiles = { none: undefined, given: { max: 6 }, bad: { max: "much" } };
      const call = () => ({
        input: inputs[choice.input]?.(),
        profile: profiles[choice.profile],
        epochMs: 1.7e12,
        requestId: "earlier-1",
        caller: choice.caller,
      });
      for (const method of ["evaluateCall", "probe"] as const) {
        try {
          journal.note(method, driver[method](decision, call()));
        } catch (thrown) {
          journal.note(method, thrown);
        }
      }
    },
  }));
}
