import { describe, expect, it } from "vitest";
import { createEvaluator, type HookContext, type Hooks, type RequestView } from "../src/index.js";
import { loan, recordingLogger, recordingObserver } from "./fixtures.js";
import { createRequestHandler } from "./fixtures-http.js";

const request: RequestView = Object.freeze({
  method: "POST",
  path: "/decisions/loan",
  headers: Object.freeze({}),
  ip: "192.0.2.1",
  identity: undefined,
});

/** Evaluates one request, and collects the contexts of hooks and of an observer. */
async function contextsOf(
  origin?: { caller: string; request: RequestView },
  before: () => unknown = () => undefined,
) {
  const contexts: HookContext[] = [];
  const hooks: Hooks = {
    beforeEvaluate: (context) => {
      contexts.push(context);
      return Reflect.apply(before, undefined, [context]);
    },
    afterEvaluate: (context) => void contexts.push(context),
    onError: (context) => void contexts.push(context),
  };
  const observer = recordingObserver();
  const options = { hooks, observers: [observer], logger: recordingLogger() };
  const reader = { input: () => ({ score: 700 }), ...(origin === undefined ? {} : { origin: () => origin }) };
  await createRequestHandler(options, loan, reader).handle({}, "req-1");
  await createRequestHandler(options, loan, { ...reader, input: () => ({ score: 13 }) }).handle({}, "req-2");
  return [...contexts, ...observer.events.map((event) => event.context)];
}

describe("the context of hooks and observers", () => {
  it("has caller and request where the host knows them", async () => {
    const contexts = await contextsOf({ caller: "web-shop", request });
    expect(contexts).toHaveLength(6);
    for (const context of contexts) {
      expect(Object.keys(context)).toEqual(expect.arrayContaining(["caller", "request"]));
      expect({ caller: context.caller, request: context.request }).toEqual({ caller: "web-shop", request });
    }
  });

  it("lacks both where nobody was asked", async () => {
    for (const context of await contextsOf()) {
      expect("caller" in context).toBe(false);
      expect("request" in context).toBe(false);
    }
  });

  it("does not let a hook change them, neither by what it returns nor by writing", async () => {
    const other = { caller: "admin", request: { ...request, path: "/other" } };
    const patched = await contextsOf({ caller: "web-shop", request }, () => other);
    const written = await contextsOf({ caller: "web-shop", request }, (...contexts: unknown[]) => {
      for (const context of contexts) Object.assign(Object(context), other);
    });
    // The hook's own context is its own.
    const others = [...patched, ...written.filter((context) => context.caller !== "admin")];
    expect(written.filter((context) => context.caller === "admin")).toHaveLength(2);
    for (const context of others)
      expect({ caller: context.caller, request: context.request }).toEqual({ caller: "web-shop", request });
  });

  it("has the caller of an evaluation in process", async () => {
    const observer = recordingObserver();
    const evaluator = createEvaluator({ observers: [observer] });
    await evaluator.evaluate(loan, { input: { score: 700 }, caller: "batch" });
    await evaluator.evaluate(loan, { input: { score: 700 } });
    expect(observer.events.map(({ context }) => context.caller)).toEqual(["batch", undefined]);
  });
});
