import { watchProfiles } from "../../../../test/support/watch.js";
import { vandalise, wayNames } from "../vandal.js";
import {
  askedFor,
  boom,
  callbackFor,
  exchanges,
  frozen,
  originFor,
  requests,
  resolverFor,
  resolvers,
  seen,
  sentFor,
  sentProfiles,
  settings,
  settled,
} from "./callbacks.js";
import type { SeveralOptions } from "./driver.js";
import { exchangeFor } from "./exchange.js";
import type { Journal } from "./journal.js";
import { combinations, type Play } from "./plays.js";
import { optionsOf } from "./settings.js";
import { inputs } from "./world.js";

const several = {
  select: ["none", "default", "two", "wrong", "throws", "promise", "writes"],
  resolver: resolvers,
  sent: sentProfiles,
  override: ["replace", "merge"],
  shadow: ["none", "candidate", "version", "never"],
  traced: [false, true],
} as const;

function severalOptions(
  world: { readonly [Name in "used" | "loan" | "next" | "candidate"]: unknown },
  choice: { readonly [Name in keyof typeof several]: (typeof several)[Name][number] },
  journal: Journal,
): SeveralOptions {
  const select = (call: { readonly input: unknown }): unknown => {
    journal.note("select", { ...call, input: call.input });
    if (choice.select === "writes") vandalise(call.input, wayNames);
    if (choice.select === "throws") boom("select");
    if (choice.select === "promise") return Promise.reject(new Error("fault of a late select"));
    if (choice.select === "default") return undefined;
    return choice.select === "wrong" ? "9" : "2.0.0";
  };
  const shadows: Readonly<Record<string, unknown>> = {
    candidate: { decision: world.candidate },
    version: { version: "2.0.0" },
    never: { decision: world.candidate, sample: 0 },
  };
  const shadow = shadows[choice.shadow];
  return {
    decisions: [world.loan, world.next],
    profiles: {
      loan: { max: 100 },
      "loan#strict": { max: 10 },
      "loan@2.0.0#strict": { max: 20, tags: ["two"] },
      used: { add: 1 },
    },
    versions: {
      loan: {
        default: "1.0.0",
        ...(choice.select === "none" ? {} : { select }),
        deprecated: { "2.0.0": { since: "2026-01-01", link: "https://example.org/" } },
        retired: ["0.9.0"],
      },
    },
    ...(shadow === undefined ? {} : { shadow: { loan: shadow } }),
    profileResolver: resolverFor(choice.resolver, journal),
    override: choice.override,
    traced: choice.traced,
  };
}

/** Requests to a host of several decisions: version, profile and shadow of each. */
export function choices(count: number): readonly Play[] {
  const dimensions = {
    ...settings,
    ...requests,
    ...exchanges,
    ...several,
    callback: ["none", "none", "look", "throws"],
    version: [undefined, "1.0.0", "2.0.0", "0.9.0", "9"],
  } as const;
  return combinations(dimensions, count, 4).map((choice) => ({
    name: `choice: ${seen(choice)}`,
    async run({ driver, world, journal }) {
      const host = driver.several({
        ...optionsOf(driver.core, choice, journal),
        ...severalOptions(world, choice, journal),
      });
      const asked = { ...askedFor(choice, journal), sent: sentFor(choice.sent) };
      const exchange = exchangeFor(journal, choice);
      const at = { id: "loan", version: choice.version };
      const code = host.respond(at, asked, exchange, callbackFor(choice.callback, journal));
      if (code === undefined) await exchange.ended;
      else journal.note("code", code);
      asked.forget();
      await settled();
    },
  }));
}

/** Many inputs of one request. */
export function lists(count: number): readonly Play[] {
  const dimensions = {
    ...settings,
    ...several,
    hooks: settings.hooks.filter((hooks) => !hooks.toLowerCase().includes("late")),
    resolver: resolvers.filter((resolver) => resolver !== "never"),
    length: [1, 3, "all"],
    version: [undefined, "2.0.0"],
  } as const;
  return combinations(dimensions, count, 5).map((choice) => ({
    name: `list: ${seen(choice)}`,
    async run({ driver, world, journal }) {
      const host = driver.several({
        ...optionsOf(driver.core, choice, journal),
        ...severalOptions(world, choice, journal),
      });
      const all = Object.values(inputs).map((make) => make());
      const length = choice.length === "all" ? all.length : choice.length;
      const sent = frozen(sentFor(choice.sent));
      const asked = { origin: () => originFor("known"), sent };
      const later: (() => void)[] = [];
      for await (const item of host.many(
        { id: "loan", version: choice.version },
        asked,
        all.slice(-length),
      )) {
        journal.note("item", item.body);
        if (item.afterwards !== undefined) later.push(item.afterwards);
      }
      for (const work of later) work();
      await settled();
    },
  }));
}

/** Requests while profiles are loaded, and once they have changed. */
export function loads(count: number): readonly Play[] {
  const dimensions = {
    hooks: ["none", "later", "error"],
    log: ["none", "kept", "late"],
    watchers: ["none", "events"],
    clock: ["fixed"],
    ...exchanges,
    source: ["fails", "first", "second", "wrong"],
    version: [undefined, "2.0.0"],
    sent: ["none", "named", "profile"],
  } as const;
  return combinations(dimensions, count, 6).map((choice) => ({
    name: `load: ${seen(choice)}`,
    async run({ driver, world, journal }) {
      let load = (_: { readonly profiles: Readonly<Record<string, unknown>> }): void => {};
      let fail = (_: Error): void => {};
      const loaded = new Promise<{ readonly profiles: Readonly<Record<string, unknown>> }>(
        (resolve, reject) => {
          load = resolve;
          fail = reject;
        },
      );
      const options = optionsOf(driver.core, choice, journal);
      let told = (): void => {};
      const reported = new Promise<void>((resolve) => {
        told = resolve;
      });
      const waits = { onEvaluated: () => {}, onProfilesLoaded: () => told() };
      const host = driver.several({
        ...options,
        observers: [...(options.observers ?? []), waits],
        decisions: [world.loan, world.next],
        versions: { loan: { default: "1.0.0" } },
        profiles: {
          ...watchProfiles({ load: () => loaded, everyMs: 3_600_000 }),
          // What the former core knew such a source by.
          [Symbol.for("decern.profile-source")]: true,
        },
        override: "replace",
      });
      const ask = async (): Promise<void> => {
        const exchange = exchangeFor(journal, choice);
        const asked = {
          input: () => ({ n: 7 }),
          origin: () => originFor("known"),
          sent: sentFor(choice.sent),
        };
        host.respond({ id: "loan", version: choice.version }, asked, exchange);
        await exchange.ended;
      };
      await ask();
      const standard = { loan: { max: 100 }, "loan#strict": { max: 3 } };
      if (choice.source === "fails") fail(new Error("fault of a source"));
      else if (choice.source === "wrong") load({ profiles: { loan: { max: "much" } } });
      else load({ profiles: choice.source === "first" ? standard : { ...standard, used: { add: 5 } } });
      await reported;
      await ask();
      await host.stop();
      await settled();
    },
  }));
}
