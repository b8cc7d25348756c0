import { expect } from "vitest";
import { decisionMatchers } from "./matchers/decision-matchers.js";
import { envelopeMatchers } from "./matchers/envelope-matchers.js";
import { lockMatcher } from "./matchers/lock-matcher.js";
import type { DecernMatchers } from "./matchers/matcher-types.js";

export type { ExampleOptions } from "./matchers/failed-examples.js";
export type { DecernMatchers } from "./matchers/matcher-types.js";

declare module "vitest" {
  interface Matchers<T> extends DecernMatchers<T> {}
}

expect.extend({ ...envelopeMatchers, ...decisionMatchers, ...lockMatcher });
