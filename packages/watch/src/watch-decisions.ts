import type { Decision, DecisionContract, DecisionSource, ProfileSource } from "@decern/core";
import {
  checkedOptions,
  decisionKind,
  feature,
  type Kind,
  kinds,
  type OptionRule,
  type OptionsOf,
  option,
  requiredOption,
} from "@decern/core/options";
import { isJsonObject } from "@decern/core/schema";
import { type DecisionSet, decisionsLoader, type LoadSet } from "./custom-loader.js";
import { decisionEndings, decisionFormat, decisionsIn, KeptVersions } from "./decision-format.js";
import { fileLoader, folderLoader } from "./file-loader.js";
import { activateRows, Gate, Timed } from "./gate.js";
import { type From, placeRows, placeRules, timeRows } from "./options.js";
import type { Loader } from "./place.js";
import { Poll } from "./poll.js";
import { urlLoader } from "./url-loader.js";

const sourceRows = {
  /** Path of a file: JSON, CSV, XLSX or DMN; a mounted ConfigMap, but not with `subPath`. */
  file: option(kinds.nonEmptyText),
  /** Path of a folder of such files, which are one set. Those below it, and names that begin with a dot, are left out. */
  folder: option(kinds.nonEmptyText),
  ...placeRows,
  /**
   * `({ etag, signal }) => { decisions, profiles?, revision?, activateAt?, etag? }`, or `undefined` if unchanged. Can be asynchronous.
   */
  load: option(kinds.callback<LoadSet<DecisionSet>>()),
};

const contractKind: Kind<DecisionContract> = (value, path) => {
  const isContract =
    isJsonObject(value) &&
    Array.isArray(value["ids"]) &&
    typeof value["holds"] === "function" &&
    typeof value["read"] === "function" &&
    (value["check"] === undefined || typeof value["check"] === "function");
  return isContract
    ? []
    : [{ path, message: "is not a contract; make it with a package such as @decern/table" }];
};

const count: Kind<number> = (value, path) => (value === 0 ? [] : kinds.wholeNumber(value, path));

const ownRows = {
  /** What the decisions must keep to: `tableContract` of `@decern/table` or `dmnContract` of `@decern/dmn`. */
  contracts: requiredOption(kinds.listOf(contractKind, { nonEmpty: true })),
  /** Decisions that are served too, and never change. @default none */
  fixed: option(kinds.listOf(decisionKind), []),
  /** Default profiles as the host takes them, or `watchProfiles(…)`. @default those of the host, or of the set */
  profiles: option(kinds.object<Readonly<Record<string, unknown>> | ProfileSource>()),
  /** Whether schemas must stay as they are, which tables always do: `"same"` or `"any"`. @default "same" */
  contract: option(kinds.oneOf("same", "any"), "same"),
  /** How many earlier versions of each decision stay callable by path. @default 0 */
  keepVersions: option(count, 0),
  /** Whether changed content is accepted under the version that is in use: `"refuse"` or `"allow"`. @default "refuse" */
  sameVersion: option(kinds.oneOf("refuse", "allow"), "refuse"),
  /** Compares each set with records before it is used. @default each valid set is used */
  activate: option(kinds.group(activateRows)),
  ...timeRows,
};

const rows = { ...sourceRows, ...ownRows };

interface Sources extends OptionsOf<typeof sourceRows> {}

type OwnOptions = OptionsOf<typeof ownRows>;

/**
 * Where decisions come from, exactly one of `file`, `folder`, `url` and `load`, what they must keep to, and how often they are
 * loaded.
 */
export type WatchDecisionsOptions<Contract extends DecisionContract = DecisionContract> = (
  | From<Sources, "file">
  | From<Sources, "folder">
  | From<Sources, "url", "headers">
  | From<Sources, "load">
) &
  Omit<OwnOptions, "contracts"> & {
    /** What the decisions must keep to: `tableContract` of `@decern/table` or `dmnContract` of `@decern/dmn`. */
    readonly contracts: readonly Contract[];
  };

/** What a contract reads. */
type MadeBy<Contract> = Contract extends DecisionContract<infer Made> ? Made : Decision;

const oneEach: OptionRule = ({ contracts }) => {
  const seen = new Set<unknown>();
  const list: readonly unknown[] = Array.isArray(contracts) ? contracts : [];
  return list.flatMap((one, index) => {
    const ids: readonly unknown[] = isJsonObject(one) && Array.isArray(one["ids"]) ? one["ids"] : [];
    const twice = ids.filter((id) => seen.has(id));
    for (const id of ids) seen.add(id);
    return twice.map((id) => ({
      path: `/contracts/${index}`,
      message: `"${String(id)}" is the id of an earlier contract`,
    }));
  });
};

const rules = [...placeRules("file", "folder", "url", "load"), oneEach];

/**
 * Decisions that change while a host runs, from a file, a folder, a URL or a function of yours. The host checks each set as a
 * whole, together with its profiles, and replaces the one in use: a request sees one set from start to end. When a load fails
 * or a set is rejected, the last good set stays in use, and the next load comes after the usual interval.
 *
 * A JSON document with the keys `revision`, `activateAt`, `decisions` and `profiles`, alone or with other files of a folder, holds
 * for the whole set. With `activateAt`, the set is checked when it is loaded, and used from that instant on, by the machine's clock.
 *
 * @example
 * ```ts
 * import { tableContract } from "@decern/table";
 * import { z } from "zod";
 *
 * const shippingFee = tableContract({
 *   id: "shipping-fee",
 *   inputSchema: z.object({ weightKg: z.number().min(0) }),
 *   outputSchema: z.object({ fee: z.number() }),
 *   profileSchema: z.object({}),
 * });
 * const decisions = watchDecisions({ file: "/etc/decern/fees.csv", contracts: [shippingFee], keepVersions: 1 });
 * ```
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function watchDecisions<Contract extends DecisionContract>(
  options: WatchDecisionsOptions<Contract>,
): DecisionSource<MadeBy<Contract>>;
// Apart from the signature above: contracts do not tell the types of what they read.
export function watchDecisions(options: WatchDecisionsOptions): DecisionSource {
  const checked = checkedOptions("watchDecisions", options, rows, rules);
  const { contracts, fixed, profiles, contract, keepVersions, sameVersion, activate, ...times } = checked;
  const { everyMs, timeoutMs, wake } = times;
  const settings = activate && checkedOptions("watchDecisions", activate, activateRows);
  const loader = loaderOf(options);
  const source: DecisionSource = {
    [feature]: "decision-source",
    contracts,
    fixed,
    profiles,
    watch: (host) => {
      const kept = new KeptVersions(host, { contract, keepVersions, sameVersion });
      const { place } = loader;
      const gate =
        settings &&
        ((stopping: AbortSignal) =>
          new Gate(kept, settings, place, new Timed(place, "comparison", settings.timeoutMs, stopping)));
      const poll = new Poll(loader, { everyMs, timeoutMs, wake }, kept, gate);
      poll.start();
      return poll;
    },
  };
  return Object.freeze(source);
}

function loaderOf(options: WatchDecisionsOptions): Loader {
  const { contracts } = options;
  const format = decisionFormat(contracts);
  if (options.file !== undefined) return fileLoader(options.file, format);
  if (options.folder !== undefined) return folderLoader(options.folder, decisionEndings, format);
  if (options.url !== undefined) return urlLoader(new URL(options.url), { ...options.headers }, format);
  return decisionsLoader(options.load, (files, place) => decisionsIn(files, contracts, place));
}
