import type { DecisionLog, EvaluationObserver, EvaluatorOptions, Hooks, Logger } from "../../src/index.js";
import { vandalise, wayNames } from "../vandal.js";
import type { Core } from "./driver.js";
import { fault, hookSets } from "./hooks.js";
import type { Journal } from "./journal.js";

/** What becomes of records. */
export const logKinds = ["none", "kept", "slow", "late", "full", "sampled", "dropped"] as const;

/** Who watches. */
export const watcherKinds = ["none", "events", "traces", "failing", "vandal"] as const;

/** What one play gives its host. */
export interface Setting {
  readonly hooks: string;
  readonly log: (typeof logKinds)[number];
  readonly watchers: (typeof watcherKinds)[number];
  readonly clock: "fixed" | "broken" | "lost";
}

/** Makes the options of one play. Everything that anybody is told is noted. */
export function optionsOf(core: Core, setting: Setting, journal: Journal): EvaluatorOptions {
  const logger: Logger = {
    error: (details, message) => journal.note("log error", message, details),
    warn: (details, message) => journal.note("log warn", message, details),
    info: (details, message) => journal.note("log info", message, details),
  };
  const log = recording(core, setting.log, journal);
  return {
    hooks: noted(hookSets[setting.hooks], journal),
    observers: watchers(setting.watchers, journal),
    clock: {
      now: () => {
        if (setting.clock === "broken") throw fault("clock");
        return setting.clock === "lost" ? Number.NaN : 1.7e12;
      },
      monotonic: () => journal.nowMs,
    },
    logger,
    hookTimeoutMs: 10,
    ...(log === undefined ? {} : { log }),
  };
}

function noted(hooks: Hooks | undefined, journal: Journal): Hooks | undefined {
  if (hooks === undefined) return undefined;
  const { beforeEvaluate, afterEvaluate, onError } = hooks;
  return {
    ...(beforeEvaluate && {
      beforeEvaluate: (context) => {
        journal.nowMs += 250;
        journal.note("beforeEvaluate", { ...context });
        return beforeEvaluate(context);
      },
    }),
    ...(afterEvaluate && {
      afterEvaluate: (context, result) => {
        journal.nowMs += 500;
        journal.note("afterEvaluate", { ...context }, result);
        return afterEvaluate(context, result);
      },
    }),
    ...(onError && {
      onError: (context, error) => {
        journal.note("onError", { ...context }, error);
        return onError(context, error);
      },
    }),
  };
}

function watchers(kind: Setting["watchers"], journal: Journal): readonly EvaluationObserver[] {
  const told: EvaluationObserver = {
    onEvaluated: ({ decision, status, durationSeconds, matchedRule, result, error, used, context }) =>
      journal.note("onEvaluated", decision, status, durationSeconds, matchedRule, result, error, used, {
        ...context,
      }),
    onServed: (decisions) => journal.note("onServed", decisions),
    onShadowEvaluated: (event) => journal.note("onShadowEvaluated", event),
    onProfilesLoaded: (load) => journal.note("onProfilesLoaded", load),
  };
  if (kind === "none") return [];
  if (kind === "events") return [told];
  if (kind === "traces") return [{ ...told, onStarted: (start) => traceOf(start, journal) }, told];
  if (kind === "vandal") {
    const writes: EvaluationObserver = {
      onEvaluated: ({ result, error, used, context }) => vandalise([result, error, used, context], wayNames),
      onShadowEvaluated: ({ result, shadowResult, error }) =>
        vandalise([result, shadowResult, error], wayNames),
    };
    return [writes, told];
  }
  return [
    {
      onEvaluated: () => {
        throw fault("onEvaluated");
      },
      onStarted: () => {
        throw fault("onStarted");
      },
      onShadowEvaluated: async () => {
        throw fault("onShadowEvaluated");
      },
    },
    told,
  ];
}

function traceOf(
  { decision, request }: Parameters<NonNullable<EvaluationObserver["onStarted"]>>[0],
  journal: Journal,
): ReturnType<NonNullable<EvaluationObserver["onStarted"]>> {
  journal.note("onStarted", decision, request?.path);
  return {
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    onHook(name, run) {
      journal.note("span of a hook", name);
      run((error) => journal.note("end of its span", name, error));
    },
    onUsed(decision, run) {
      journal.note("span of a decision", decision);
      journal.note("end of its span", run());
    },
    onEnded: ({ status, matchedRule, durationSeconds, error }) =>
      journal.note("onEnded", status, matchedRule, durationSeconds, error),
  };
}

/** A log of which hosts use the recorder only. */
function recording(core: Core, kind: Setting["log"], journal: Journal): DecisionLog | undefined {
  if (kind === "none") return undefined;
  const unavailable = () => new core.DecernError("RECORD_UNAVAILABLE");
  const log = {
    [Symbol.for("decern.feature")]: "decision-log",
    isAvailable: true,
    attach: () => ({
      hasRoomForMany: true,
      admit: () => {
        journal.note("admit");
        return kind !== "full";
      },
      choose: (decisionId: string, status: string, share?: number) => {
        journal.note("choose", decisionId, status, share);
        if (kind === "sampled") return undefined;
        return { recordId: kind === "dropped" ? undefined : "rec-1", sampleRate: 1 };
      },
      record: (ticket: object, evaluation: Readonly<Record<string, unknown>>) => {
        journal.note("record", ticket, recorded(evaluation));
        journal.nowMs += 1000;
        if (kind === "late") return Promise.reject(unavailable());
        return kind === "slow" ? new Promise<void>((resolve) => setTimeout(resolve, 2)) : undefined;
      },
    }),
    find: async function* () {},
    profile: async () => undefined,
    erase: async () => ({ records: 0 }),
    verify: async () => ({ ok: true }),
    stats: async () => ({ records: 0 }),
    flush: async () => {},
    close: async () => {},
  };
  // What nothing here asks for is not all there.
  return log as unknown as DecisionLog;
}

/** What the port says that a recorder gets. */
function recorded(evaluation: Readonly<Record<string, unknown>>): readonly unknown[] {
  const names = [
    "decision",
    "requestId",
    "epochMs",
    "durationSeconds",
    "caller",
    "traceparent",
    "selectedBy",
    "shadowOf",
  ];
  const rest = ["input", "profile", "hasOwnProfile", "result", "error", "used"];
  return [...[...names, ...rest].map((name) => evaluation[name]), evaluation["sharesProfile"] === true];
}
