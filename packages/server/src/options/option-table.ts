import { decisionSetOptionKinds, evaluatorOptionKinds, overloadKind } from "@decern/core/host";
import { type OptionKind, optionKinds, systemClock } from "@decern/core/tools";
import { authenticateKind } from "../auth/authenticate.js";
import type { ServerOptions } from "./options.js";

const { anything, flag, object, wholeNumber } = optionKinds;

const profileOverride: OptionKind = (value, path) =>
  value === "replace" || value === "merge" || value === false
    ? []
    : [{ path, message: 'must be "replace", "merge" or false' }];

const flagOrCallback: OptionKind = (value, path) =>
  typeof value === "boolean" || typeof value === "function"
    ? []
    : [{ path, message: "must be true, false or a function" }];

/** Every option of `createServer`: its kind, and its default if it has one. */
export const optionTable = {
  decisions: { kind: decisionSetOptionKinds.decisions },
  profiles: { kind: decisionSetOptionKinds.profiles },
  profileResolver: { kind: decisionSetOptionKinds.profileResolver },
  versions: { kind: decisionSetOptionKinds.versions },
  shadow: { kind: decisionSetOptionKinds.shadow },
  facades: { kind: decisionSetOptionKinds.facades },
  // `createService` checks what is inside.
  callerProfiles: { kind: object },
  profileOverride: { kind: profileOverride },
  cors: { kind: flag, default: true },
  hooks: { kind: evaluatorOptionKinds.hooks },
  observers: { kind: evaluatorOptionKinds.observers, default: [] },
  // `enabledFeature` checks these.
  explain: { kind: anything },
  metrics: { kind: anything },
  openapi: { kind: anything },
  docs: { kind: flag, default: true },
  // Its default depends on `hooks` and `log`.
  liveDocs: { kind: flag },
  bodyLimit: { kind: wholeNumber, default: 1_048_576 },
  maxBatch: { kind: wholeNumber, default: 1000 },
  hookTimeoutMs: { kind: evaluatorOptionKinds.hookTimeoutMs, default: 5000 },
  requestTimeoutMs: { kind: wholeNumber, default: 10_000 },
  writeTimeoutMs: { kind: wholeNumber, default: 10_000 },
  keepAliveTimeoutMs: { kind: wholeNumber, default: 65_000 },
  maxConnectionAgeMs: { kind: wholeNumber, default: 300_000 },
  closeTimeoutMs: { kind: wholeNumber, default: 10_000 },
  log: { kind: evaluatorOptionKinds.log },
  records: { kind: flagOrCallback, default: false },
  clock: { kind: evaluatorOptionKinds.clock, default: systemClock },
  logger: {
    kind: (value, path) => (typeof value === "boolean" ? [] : evaluatorOptionKinds.logger(value, path)),
    default: true,
  },
  // `trustProxyProblems` checks it.
  trustProxy: { kind: anything, default: false },
  authenticate: { kind: authenticateKind },
  publicMetrics: { kind: flag, default: false },
  overload: { kind: overloadKind },
} as const satisfies {
  readonly [Name in keyof ServerOptions]-?: {
    readonly kind: OptionKind;
    readonly default?: ServerOptions[Name];
  };
};

/** One row of {@link optionTable}. */
interface Option {
  readonly kind: OptionKind;
  readonly default?: unknown;
}

export const optionRows: readonly (readonly [name: string, option: Option])[] =
  Object.entries<Option>(optionTable);

type Table = typeof optionTable;

/** The options that have a default. None of them is ever absent. */
export type DefaultedOptions = {
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown }
    ? Name
    : never]: NonNullable<ServerOptions[Name]>;
};

const defaulted = optionRows.filter(([, option]) => option.default !== undefined);

/** Fills in defaults. Given values may still be wrong, which {@link isComplete} finds. */
export function withDefaults(options: object): object {
  const filled: Record<string, unknown> = {};
  for (const [name, option] of defaulted) filled[name] = Reflect.get(options, name) ?? option.default;
  return filled;
}

/** Whether every option that has a default has a value of its kind. */
export function isComplete(filled: object): filled is DefaultedOptions {
  return defaulted.every(([name, { kind }]) => kind(Reflect.get(filled, name), `/${name}`).length === 0);
}
