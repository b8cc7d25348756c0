import {
  evaluatorOptionCases,
  flags,
  type OptionCase,
  optionSuite,
} from "../../../test/suites/option-suite.js";
import type { ApiKeysOptions } from "../src/auth/api-keys.js";
import { apiKeys, createServer, type ServerOptions } from "../src/index.js";
import { decisions, outcomes } from "./support/decisions.js";
import { fakeMetrics, fakeOpenAPI } from "./support/fake-features.js";

const flag: OptionCase = { right: true, takes: flags };
const count: OptionCase = { right: 100, takes: ["one"] };

// Values that untyped JavaScript may pass.
const untyped = (work: (options: never) => unknown) => work as (options: object) => unknown;

optionSuite<ServerOptions>(
  "createServer",
  {
    decisions: { right: [outcomes], takes: ["list"], items: [] },
    profiles: { right: {}, takes: ["object"] },
    cors: flag,
    ...evaluatorOptionCases,
    metrics: { right: fakeMetrics(), takes: ["object"] },
    openapi: { right: fakeOpenAPI(), takes: ["object"] },
    docs: { right: true, takes: [...flags, "object"] },
    liveDocs: flag,
    versions: { right: {}, takes: ["object"] },
    shadow: { right: {}, takes: ["object"] },
    facades: { right: [], takes: ["list"], items: [] },
    features: { right: [{ name: "own" }], takes: ["list"], items: [] },
    callerProfiles: { right: {}, takes: ["object"] },
    profileResolver: { right: () => undefined, takes: ["function"] },
    profileOverride: { right: "merge", takes: ["false"] },
    bodyLimit: count,
    maxBatch: count,
    requestTimeoutMs: count,
    writeTimeoutMs: count,
    keepAliveTimeoutMs: count,
    maxConnectionAgeMs: count,
    closeTimeoutMs: count,
    logger: { right: { error: () => {} }, takes: flags },
    authenticate: { right: () => true, takes: ["function"] },
    publicMetrics: flag,
    // It requires `authenticate` and `log`.
    records: { right: false, takes: ["false"] },
    explain: { testedBy: "options.test.ts" },
    overload: {
      right: { maxConcurrent: 10 },
      group: { maxConcurrent: count, maxEventLoopDelayMs: count, retryAfterSeconds: count },
      base: { maxConcurrent: 10 },
    },
    trustProxy: { testedBy: "options.test.ts" },
  },
  { decisions },
  untyped(createServer),
);

optionSuite<ApiKeysOptions>(
  "apiKeys",
  {
    keys: { right: ["key"], takes: ["function"], items: ["text"] },
    header: { right: "x-key", takes: ["text"] },
  },
  { keys: ["key"] },
  untyped(apiKeys),
);
