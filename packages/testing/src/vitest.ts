import { expect } from "vitest";
import { decisionMatchers, lockMatcher } from "./matchers/decision-matchers.js";
import type { DecernMatchers } from "./matchers/envelope-matchers.js";
import { envelopeMatchers } from "./matchers/envelope-matchers.js";

export type { DecernMatchers, ExampleOptions } from "./matchers/envelope-matchers.js";

declare module "vitest" {
  interface Matchers<T> extends DecernMatchers<T> {}
}

expect.extend({ ...envelopeMatchers, ...decisionMatchers, ...lockMatcher });
