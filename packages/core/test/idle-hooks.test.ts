import { createHook } from "node:async_hooks";
import { expect, it, vi } from "vitest";
import { createEvaluator } from "../src/index.js";
import { loan } from "./fixtures.js";

const none = async (): Promise<void> => {};
const evaluator = createEvaluator({ hooks: { beforeEvaluate: none, afterEvaluate: none, onError: none } });

it("asynchronous hooks that do nothing set no timer", async () => {
  const setTimer = vi.spyOn(globalThis, "setTimeout");
  try {
    expect(await evaluator.evaluate(loan, { input: { score: 700 } })).toMatchObject({ status: "OK" });
    expect(setTimer).not.toHaveBeenCalled();
  } finally {
    setTimer.mockRestore();
  }
});

it("asynchronous hooks that do nothing make few promises", async () => {
  let promises = 0;
  const counter = createHook({
    init: (_id, type) => {
      if (type === "PROMISE") promises += 1;
    },
  });
  const evaluations = 100;
  counter.enable();
  for (let count = 0; count < evaluations; count += 1) {
    await evaluator.evaluate(loan, { input: { score: 700 } });
  }
  counter.disable();
  // Two are the hooks' own. Node counts one more for each `await`.
  expect(promises / evaluations).toBeLessThan(12);
});
