import * as host from "../../src/host.js";
import * as core from "../../src/index.js";
import { evaluateCall, probe } from "../../src/tools.js";
import { type BaselineHost, baselineDriver } from "./baseline-driver.js";
import type { Driver } from "./driver.js";

const { Runner: EvaluationPipeline, traced: tracingReplyEncoder } = host;

/** Drives the core as it is. */
export const currentDriver: Driver = {
  ...baselineDriver(core, { ...host, EvaluationPipeline, tracingReplyEncoder } as unknown as BaselineHost),
  evaluateCall: (decision, call) => evaluateCall({ decision, ...call }),
  probe: (decision, call) => probe({ decision, ...call }),
};
