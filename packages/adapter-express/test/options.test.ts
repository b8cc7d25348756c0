import { access } from "../../../test/suites/loan-and-access.js";
import {
  evaluatorOptionCases,
  type OptionCase,
  type OptionCases,
  optionSuite,
} from "../../../test/suites/option-suite.js";
import { watchProfiles } from "../../../test/support/watch.js";
import {
  createDecisionGuard,
  createDecisionMiddleware,
  createDecisionRouter,
  type DecisionGuardOptions,
  type DecisionMiddlewareOptions,
  type DecisionOptions,
  type DecisionRouterOptions,
} from "../src/index.js";

const callback: OptionCase = { right: () => {}, takes: ["function"] };
const bodyLimit: OptionCase = { right: 100, takes: ["one"] };

const decisionCases: OptionCases<DecisionOptions<unknown, unknown>> = {
  decision: { right: access },
  profile: { right: { roles: ["clerk"] }, takes: ["object"], isLast: true },
  profileResolver: callback,
  inputMapper: callback,
  caller: callback,
  ...evaluatorOptionCases,
};

// What JavaScript without types may give.
const untyped = (work: (options: never) => unknown) => work as (options: object) => unknown;

optionSuite<DecisionRouterOptions>(
  "createDecisionRouter",
  {
    decisions: { right: [access], takes: ["list"], items: [] },
    profiles: { right: watchProfiles({ load: async () => ({ profiles: {} }) }), takes: ["object"] },
    profileResolver: callback,
    versions: { right: { "access.v1~beta": { default: access.version } }, takes: ["object"] },
    shadow: { right: { "access.v1~beta": { decision: access, sample: 0.5 } }, takes: ["object"] },
    facades: { right: [], takes: ["list"], items: [] },
    features: { right: [{ name: "own" }], takes: ["list"], items: [] },
    caller: callback,
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
