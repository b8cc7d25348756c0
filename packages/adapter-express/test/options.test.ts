import {
  evaluatorOptionCases,
  type OptionCase,
  type OptionCases,
  optionSuite,
} from "../../../test/suites/option-suite.js";
import {
  createDecisionGuard,
  createDecisionMiddleware,
  createDecisionRouter,
  type DecisionGuardOptions,
  type DecisionMiddlewareOptions,
  type DecisionOptions,
  type DecisionRouterOptions,
} from "../src/index.js";
import { access } from "./decisions.js";

const callback: OptionCase = { right: () => {}, takes: ["function"] };
const bodyLimit: OptionCase = { right: 100, takes: ["one"] };

const decisionCases: OptionCases<DecisionOptions<unknown, unknown>> = {
  decision: { right: access },
  profile: { right: { roles: ["clerk"] }, takes: ["object"], isLast: true },
  profileResolver: callback,
  inputMapper: callback,
  ...evaluatorOptionCases,
};

// What JavaScript without types may give.
const untyped = (work: (options: never) => unknown) => work as (options: object) => unknown;

optionSuite<DecisionRouterOptions>(
  "createDecisionRouter",
  {
    decisions: { right: [access], takes: ["list"], items: [] },
    profiles: { right: {}, takes: ["object"] },
    prefix: { right: "/api", takes: ["text", "empty text"] },
    bodyLimit,
    ...evaluatorOptionCases,
  },
  { decisions: [access] },
  untyped(createDecisionRouter),
);

optionSuite<DecisionMiddlewareOptions<unknown, unknown>>(
  "createDecisionMiddleware",
  { ...decisionCases, onResult: callback, bodyLimit },
  { decision: access },
  untyped(createDecisionMiddleware),
);

optionSuite<DecisionGuardOptions<unknown, unknown>>(
  "createDecisionGuard",
  { ...decisionCases, isDenied: callback, onDeny: callback },
  { decision: access },
  untyped(createDecisionGuard),
);
