import Fastify, { type RegisterOptions } from "fastify";
import { access } from "../../../test/suites/loan-and-access.js";
import {
  evaluatorOptionCases,
  type OptionCase,
  type OptionCases,
  optionSuite,
  type SampleName,
} from "../../../test/suites/option-suite.js";
import { watchProfiles } from "../../../test/support/watch.js";
import {
  createDecisionHandler,
  createDecisionHook,
  createDecisionRoute,
  type DecisionHandlerOptions,
  type DecisionHookOptions,
  type DecisionOptions,
  type DecisionPluginOptions,
  type DecisionRouteOptions,
  decisionPlugin,
} from "../src/index.js";

const callback: OptionCase = { right: () => {}, takes: ["function"] };

const decisionCases: OptionCases<DecisionOptions<unknown, unknown>> = {
  decision: { right: access },
  profile: { right: { roles: ["clerk"] }, takes: ["object"], isLast: true },
  profileResolver: callback,
  inputMapper: callback,
  caller: callback,
  ...evaluatorOptionCases,
};

const handlerCases: OptionCases<DecisionHandlerOptions<unknown, unknown>> = {
  ...decisionCases,
  onResult: callback,
};

// What JavaScript without types may give.
const untyped = (work: (options: never) => unknown) => work as (options: object) => unknown;

optionSuite<DecisionHandlerOptions<unknown, unknown>>(
  "createDecisionHandler",
  handlerCases,
  { decision: access },
  untyped(createDecisionHandler),
);

optionSuite<DecisionRouteOptions<unknown, unknown>>(
  "createDecisionRoute",
  {
    ...handlerCases,
    url: { right: "/apply", takes: ["text", "empty text"] },
    method: { right: ["POST", "PUT"], takes: ["text"], items: ["text"] },
  },
  { url: "/apply", decision: access },
  untyped(createDecisionRoute),
);

optionSuite<DecisionHookOptions<unknown, unknown>>(
  "createDecisionHook",
  { ...decisionCases, isDenied: callback, onDeny: callback },
  { decision: access },
  untyped(createDecisionHook),
);

type PluginOptions = DecisionPluginOptions & Pick<RegisterOptions, "logLevel" | "logSerializers">;

/** Fastify reads these two, and not the plugin. */
const fastifys: readonly SampleName[] = [
  "true",
  "false",
  "null",
  "zero",
  "one",
  "minus one",
  "fraction",
  "NaN",
  "Infinity",
  "minus Infinity",
  "one more than a timer takes",
  "bigint",
  "symbol",
  "empty text",
  "text",
  "function",
  "object",
  "list",
];

optionSuite<PluginOptions>(
  "decisionPlugin",
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
    ...evaluatorOptionCases,
    logLevel: { right: "error", takes: fastifys },
    logSerializers: { right: {}, takes: fastifys },
  },
  { decisions: [access] },
  // Called as Fastify calls it: what `register` does with a prefix of the wrong kind is Fastify's.
  (options) => decisionPlugin(Fastify(), options as DecisionPluginOptions),
);
