import { feature } from "../host/ports.js";
import type { OptionKind } from "../options/option-kinds.js";

/** What hosts take as `log`. */
export const logKind: OptionKind = (value, path) =>
  typeof value === "object" && value !== null && Reflect.get(value, feature) === "decision-log"
    ? []
    : [{ path, message: "must be built with decisionLog() of @decern/decision-log" }];
